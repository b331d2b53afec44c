import type { Command } from 'commander'

export function addOpenApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of the interface')
    .option('--control-plane', 'print the document of the control plane of souk dev instead')
    .action(async ({ controlPlane }: { controlPlane?: true }) => {
      const { openApiDocument } = await import('./openapi-document.ts')
      process.stdout.write(await openApiDocument(controlPlane ? 'controlPlane' : 'api'))
    })
}
