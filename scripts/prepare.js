// npm runs this after every install of a clone, and before it packs. Without dev dependencies there is nothing to build
// with, and an install must not fail for that: bin/souk.js then runs the sources.
import { execSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'

const canBuild = ['rolldown', 'typescript', 'react'].every((name) => existsSync(`node_modules/${name}`))
// npx installs the clone in which it runs. A new build would take the chunks from a `souk dev` that is running.
const isBuilt = process.env.npm_command === 'exec' && existsSync('dist/cli/main.js')
if (canBuild && !isBuilt) execSync('npm run build', { stdio: 'inherit' })
else if (!canBuild) console.log('souk: installed without dev dependencies, so not built; it runs from src/')

// Otherwise the first `npx souk` in a clone installs the clone as a package, which builds it once more.
const command = 'node_modules/.bin/souk'
if (process.platform !== 'win32' && existsSync('node_modules/.bin') && !existsSync(command)) {
  symlinkSync('../../bin/souk.js', command)
}
