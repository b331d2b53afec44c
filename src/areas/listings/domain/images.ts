import type { Attributes } from './attributes.ts'
import type { Issue } from './issues.ts'

const MAIN = 'main_product_image_locator'
const FORMATS = /\.(jpe?g|png|gif|tiff?|webp)$/i

/** Looks at where images are said to be. They are not fetched: a marketplace on a laptop has no network to rely on. */
export function checkImages(attributes: Attributes): Issue[] {
  const locators = Object.keys(attributes).filter(
    (name) => name.endsWith('_image_locator') || /_locator_\d+$/.test(name),
  )
  const issues = locators.flatMap((attribute): Issue[] => {
    const fault = (attributes[attribute] ?? [])
      .map(({ media_location }) => findImageViolation(String(media_location ?? '')))
      .find((one) => one !== undefined)
    return fault === undefined ? [] : [{ kind: 'badImage', attribute, limit: fault }]
  })
  const hasMain = locators.includes(MAIN) && !issues.some(({ attribute }) => attribute === MAIN)
  return hasMain ? issues : [...issues, { kind: 'noMainImage', attribute: MAIN }]
}

function findImageViolation(address: string): string | undefined {
  const url = URL.parse(address)
  if (!url) return 'URL'
  if (!['http:', 'https:', 's3:'].includes(url.protocol)) return 'http, https'
  return FORMATS.test(url.pathname) ? undefined : 'JPEG, PNG, GIF, TIFF'
}

/** The main image as the catalogue shows it to everybody, if it can be used and reached. */
export function publicImageOf(attributes: Attributes): string | undefined {
  const location = mainImageOf(attributes)
  if (location === undefined || findImageViolation(location) !== undefined) return undefined
  const { href, protocol } = new URL(location)
  return protocol === 's3:' ? undefined : href
}

export function mainImageOf(attributes: Attributes): string | undefined {
  const location = attributes[MAIN]?.[0]?.media_location
  return typeof location === 'string' ? location : undefined
}
