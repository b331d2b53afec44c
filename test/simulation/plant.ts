// Loaded with --import: changes the source of a file while Node.js loads it.
import { registerHooks } from 'node:module'
import { plantedBugs } from './planted-bugs.ts'

const bug = plantedBugs.find(({ name }) => name === process.env.PLANTED_BUG)
if (!bug) throw new Error(`There is no planted bug ${process.env.PLANTED_BUG}`)

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith(`/src/${bug.file}`)) return loaded
    let source = String(loaded.source)
    for (const [search, replacement] of bug.changes) {
      if (!source.includes(search)) throw new Error(`${bug.file} does not contain ${search}`)
      source = source.replace(search, () => replacement)
    }
    return { ...loaded, source }
  },
})
