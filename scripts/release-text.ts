// What a release changes in the files, as functions from text to text.

const BUMPS = ['major', 'minor', 'patch']
const HEADING = '## Unreleased\n'

/** The version that `major`, `minor`, `patch` or a version itself asks for. Throws if it is not newer. */
export function nextVersion(current: string, wanted: string): string {
  const numbers = partsOf(current)
  const bumped = BUMPS.indexOf(wanted)
  if (bumped >= 0) return numbers.map((part, index) => (index > bumped ? 0 : part + Number(index === bumped))).join('.')
  if (!/^\d+\.\d+\.\d+$/.test(wanted)) {
    throw new Error(`The version must be ${BUMPS.join(', ')} or three numbers such as 1.2.3, not "${wanted}".`)
  }
  const differing = partsOf(wanted).map((part, index) => part - (numbers[index] as number))
  if ((differing.find((difference) => difference !== 0) ?? 0) <= 0) {
    throw new Error(`The version must be newer than ${current}, not ${wanted}.`)
  }
  return wanted
}

const partsOf = (version: string) => version.split('.').map(Number)

/** Gives the entries under "Unreleased" a version and a date. Throws if there are none. */
export function closeUnreleased(
  changelog: string,
  version: string,
  date: string,
): { changelog: string; notes: string } {
  const [before, unreleased] = changelog.split(HEADING)
  if (before === undefined || unreleased === undefined) throw new Error('CHANGELOG.md has no section "Unreleased".')
  const end = unreleased.search(/^## /m)
  const notes = unreleased.slice(0, end < 0 ? undefined : end).trim()
  // Headings alone are not news.
  if (!/^[-*] /m.test(notes)) throw new Error('The section "Unreleased" of CHANGELOG.md has no entries.')
  const older = end < 0 ? '' : `\n${unreleased.slice(end)}`
  return { notes, changelog: `${before}${HEADING}\n## ${version} (${date})\n\n${notes}\n${older}` }
}

/** In package.json. */
export function setManifestVersion(text: string, version: string): string {
  return toJson({ ...JSON.parse(text), version })
}

/** In package-lock.json. */
export function setLockVersion(text: string, version: string): string {
  const lock = JSON.parse(text)
  lock.version = version
  lock.packages[''].version = version
  return toJson(lock)
}

/** In the files of openapi/. */
export function setDocumentVersion(text: string, version: string): string {
  const document = JSON.parse(text)
  document.info.version = version
  return toJson(document)
}

/** In commands that name the packed package. */
export function setArchiveName(text: string, version: string): string {
  return text.replace(/\bsouk-\d+\.\d+\.\d+\.tgz\b/g, `souk-${version}.tgz`)
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
