// Imported first by every entrance of the package, so that an unsupported Node.js gets this message and not an error of
// the code that it cannot run.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  throw new Error(`souk needs Node.js 22.18 or newer; this is ${process.versions.node} (${process.execPath}).`)
}
