/** Words in the names of fields and headers that hold secrets, as alternatives of an expression that ignores case. */
export const SECRET_WORDS = [
  'signature|credential|secret|authorization|assertion',
  String.raw`passw(?:or)?d|passphrase|\bpwd\b`,
  '(?:api|operator|private|access)[-_]?key|code[-_]?verifier|auth[-_]?code',
].join('|')
