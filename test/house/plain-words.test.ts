import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOpenApiDocument } from './openapi-document.ts'
import { sourceFiles } from './source-files.ts'

interface Rule {
  pattern: RegExp
  instead: string
}

/** Phrases of comments, messages and pages that read as if translated, and what to write instead. */
const PHRASES: readonly Rule[] = [
  { pattern: /\bunless (stated|told|said)\b/i, instead: 'default: ...' },
  { pattern: /\bwho(so)?ever\b|\bthose (who|that see)\b/i, instead: 'the caller, the worker, subscribers' },
  { pattern: /\b(some|any|no)body\b/i, instead: 'a caller, no client, another process' },
  { pattern: /\b(tells?|told|telling)\b/i, instead: 'notify, report, return, log' },
  { pattern: /\bin hand\b/i, instead: 'claimed, running' },
  { pattern: /\bf(alls?|ell|alling) over\b/i, instead: 'crash' },
  { pattern: /\bt(ak(e|es|en|ing)|ook) (\w+ ){0,3}apart\b/i, instead: 'parse' },
  { pattern: /\brivals?\b|Rival/, instead: 'competitor' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bsouk (works|serves|drains)\b/, instead: 'worker started, server listening, draining' },
  { pattern: /\bwork(s|ed|ing)? (\w+ ){0,3}out\b/i, instead: 'compute, apply' },
  { pattern: /\bin one go\b/i, instead: 'per batch, in one statement' },
  {
    pattern: /\b(stands?|stood) (there|beside|elsewhere|in the way)\b|\bis there twice\b/i,
    instead: 'is, are, duplicate',
  },
  { pattern: /(\/\*\*|\*|\/\/|\.) Answers\b/, instead: 'Returns' },
  { pattern: /\b(throw|throws|thrown|throwing) (\w+ ){0,3}away\b/i, instead: 'delete, discard' },
  { pattern: /\bcatalogue|authoris|recognis|serialis|colour|neighbour/i, instead: 'American spelling, as in the API' },
]

/** Names that had several meanings, or of which several had one meaning. CONTRIBUTING.md has the glossary. */
const NAMES: readonly Rule[] = [
  { pattern: /\b(represent|spell)[A-Z]\w*/, instead: 'render...' },
  { pattern: /\b(Shown|Told)[A-Z]?\w*/, instead: '...View, ...Input' },
  { pattern: /\b\w*(?<!Sender)Fault\b|\bfault\b/, instead: 'error, issue or violation' },
  {
    pattern: /\b\w*(Oddity|Obstacle|Refusal|Stumble|Lookout|Passage)\b|\b(oddity|obstacle|refusal)\b/,
    instead: 'error',
  },
  { pattern: /\b(MOST|LONGEST|LARGEST|FEWEST|DEEPEST|SHORTEST|LEAST)_\w+/, instead: 'MAX_..., MIN_...' },
  { pattern: /\b\w+_(IN_ONE_GO|AT_ONCE)\b/, instead: '..._PER_STEP, ..._PER_BATCH' },
]

// What buyers write, in their own words.
const SAMPLE_TEXTS = ['dev/demo/feedback.ts']
const IMPERATIVES =
  /^(Advance|Cancel|Check|Create|Delete|Discard|Download|Get|List|Request|Retry|Revoke|Rotate|Search|Send|Update|Upload) /

const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
const pages = ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => join('docs', name))].map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}))

test('comments, messages and names of src use the terms of the field', () => {
  const files = sourceFiles().filter(({ path }) => !SAMPLE_TEXTS.includes(path))
  expect(files.flatMap((file) => findOddWords(file, [...PHRASES, ...NAMES]))).toEqual([])
})

test('the documentation uses the terms of the field', () => {
  expect(pages.flatMap((page) => findOddWords(page, PHRASES))).toEqual([])
})

test('each summary of the OpenAPI document is a short imperative sentence', async () => {
  const { paths } = await readOpenApiDocument()
  const summaries = Object.values(paths).flatMap((path) => Object.values(path).map(({ summary = '' }) => summary))
  expect(summaries.length).toBeGreaterThan(80)
  expect(summaries.filter((summary) => !IMPERATIVES.test(summary) || summary.endsWith('.'))).toEqual([])
})

test('an odd word is found with its line', () => {
  const file = { path: 'a.ts', text: '// Fine.\n// Whoever asks waits.\n' }
  expect(findOddWords(file, PHRASES)).toEqual(['a.ts:2: whoever -> the caller, the worker, subscribers'])
})

function findOddWords({ path, text }: { path: string; text: string }, rules: readonly Rule[]): string[] {
  return text.split('\n').flatMap((line, index) =>
    rules.flatMap(({ pattern, instead }) => {
      const [word] = pattern.exec(line) ?? []
      return word === undefined ? [] : [`${path}:${index + 1}: ${word.toLowerCase()} -> ${instead}`]
    }),
  )
}
