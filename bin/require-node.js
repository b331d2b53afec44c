// Imported first by every entrance of the package, so that an unsupported Node.js gets this message and not an error of
// the code that it cannot run. It must run on every Node.js itself.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const required = engines.node.replace('>=', '')
const [requiredMajor, requiredMinor] = required.split('.').map(Number)
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < requiredMajor || (major === requiredMajor && minor < requiredMinor)) {
  throw new Error(
    `souk needs Node.js ${required} or newer; this is ${process.versions.node} (${process.execPath}). ` +
      'For one project: npm install --save-dev node@24',
  )
}
