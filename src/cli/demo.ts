import type { Command } from 'commander'

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('Print the ids and credentials of the demo marketplace')
    .option('--json', 'print JSON', false)
    .action(runDemo)
}

async function runDemo({ json }: { json: boolean }): Promise<void> {
  const { demo } = await import('../dev/demo/index.ts')
  if (json) return console.log(JSON.stringify(demo, null, 2))
  for (const [name, value] of Object.entries(demo)) {
    console.log(`${name.padEnd(14)} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  }
}
