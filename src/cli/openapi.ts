import type { Command } from 'commander'

export function addOpenApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of the interface')
    .action(async () => {
      const { openApiDocument } = await import('./openapi-document.ts')
      process.stdout.write(await openApiDocument())
    })
}
