import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { plantedBugs } from './planted-bugs.ts'

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Runs the simulation with each bug in turn. Returns whether all of them were found. */
export async function catchPlantedBugs(seeds: string): Promise<boolean> {
  let missed = 0
  for (const { name } of plantedBugs) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', here('plant.ts'), here('run.ts'), '--seeds', seeds, '--stop-at-failure', '--no-shrink'],
      { env: { ...process.env, PLANTED_BUG: name }, encoding: 'utf8' },
    )
    const seed = /^seed (\d+) fails:\n {2}(.*?):/m.exec(stdout)
    if (status === 1 && seed) console.log(`found   ${name}: seed ${seed[1]}, "${seed[2]}"`)
    else {
      missed++
      console.log(`MISSED  ${name} in ${seeds} seeds\n${stderr.slice(0, 2000)}`)
    }
  }
  return missed === 0
}
