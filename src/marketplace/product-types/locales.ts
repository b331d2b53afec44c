const FALLBACK = 'en_US'

/** Falls back to another locale of the language, then to English, then to any locale. */
export function closestLocale(available: readonly string[], requested: string): string {
  const language = requested.slice(0, 2)
  return (
    available.find((locale) => locale === requested) ??
    available.find((locale) => locale.slice(0, 2) === language) ??
    available.find((locale) => locale === FALLBACK) ??
    available[0] ??
    FALLBACK
  )
}

export function textIn(texts: Readonly<Record<string, string>>, locale: string): string {
  return texts[locale] ?? texts[closestLocale(Object.keys(texts), locale)] ?? ''
}
