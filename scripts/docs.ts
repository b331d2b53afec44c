// Builds the documentation site that the package contains and the server serves at /docs/.
import { writeSite } from './site/write-site.ts'

const { files, bytes } = await writeSite('dist/docs')
console.log(`docs: ${files} files, ${Math.ceil(bytes / 1024)} KiB in dist/docs; all links resolve`)
