import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAllPaths } from './openapi-document.ts'
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
  // The incident lost-answer is known by that name.
  { pattern: /(?<!lost-)\banswer(s|ed|ing)?\b/i, instead: 'response, respond, return' },
  { pattern: /\bmust not (be there|hold)\b|\bis required where\b/i, instead: 'cannot be combined, must not contain' },
  { pattern: /\bnot a known key\b|\b(setting|database) of souk\b/, instead: 'is not allowed, a Souk setting' },
  { pattern: /\bsmall letters\b/i, instead: 'lowercase' },
  { pattern: /\b(throw|throws|thrown|throwing) (\w+ ){0,3}away\b/i, instead: 'delete, discard' },
  { pattern: /\bcatalogue|authoris|recognis|serialis|colour|neighbour/i, instead: 'American spelling, as in the API' },
]

/** Phrases of test titles and comments that read as if translated. The titles name invalid values often. */
const TEST_PHRASES: readonly Rule[] = [
  { pattern: /\b(that is none|of another form|that is no (?!longer)\w+)\b/i, instead: 'an invalid ...' },
  { pattern: /\b(model|schema|specification) has it\b/i, instead: 'conforms to ...' },
  { pattern: /\bwhatever (its|their) case\b/i, instead: 'ignoring case' },
  { pattern: /\bholds? up\b/i, instead: 'delay, block' },
  { pattern: /\b(miss none and repeat none|missing none and repeating none)\b/i, instead: 'each exactly once' },
  { pattern: /\bdoes not sell\b/i, instead: 'does not participate' },
  { pattern: /\bas (it was|they were) (given|written)\b/i, instead: 'unchanged' },
]

/** Names that had several meanings, or of which several had one meaning. CONTRIBUTING.md has the glossary. */
const NAMES: readonly Rule[] = [
  { pattern: /\b(represent|spell)[A-Z]\w*/, instead: 'render...' },
  { pattern: /\b(Shown|Told)[A-Z]?\w*/, instead: '...View, ...Input' },
  { pattern: /\b\w*(?<!Sender)Fault\b|\bfault\b(?! rules?\b)/, instead: 'error, issue or violation' },
  {
    pattern: /\b\w*(Oddity|Obstacle|OrderError|Stumble|Lookout|Passage)\b|\b(oddity|obstacle|refusal)\b/,
    instead: 'error',
  },
  { pattern: /\b(MOST|LONGEST|LARGEST|FEWEST|DEEPEST|SHORTEST|LEAST)_\w+/, instead: 'MAX_..., MIN_...' },
  { pattern: /\b\w+_(IN_ONE_GO|AT_ONCE)\b/, instead: '..._PER_STEP, ..._PER_BATCH' },
]

// What buyers write, in their own words.
const SAMPLE_TEXTS = ['dev/demo/feedback.ts']
const IMPERATIVES =
  /^(Add|Advance|Cancel|Check|Clear|Create|Delete|Deliver|Disable|Discard|Download|Export|Get|Import|Leave|List|Place|Remove|Request|Reset|Restore|Retry|Return|Revoke|Rotate|Search|Send|Set|Sign|Start|Stop|Take|Update|Upload|Verify) /

const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
const pages = ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => join('docs', name))].map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}))

test('comments, messages and names of src use the terms of the field', () => {
  // There, a fault is what a rule causes.
  const isAboutFaults = (path: string) => /^(dev\/faults\/|stand-in\/faults|cli\/ctl\/commands|vitest\/)/.test(path)
  const files = sourceFiles().filter(({ path }) => !SAMPLE_TEXTS.includes(path) && !isAboutFaults(path))
  expect(files.flatMap((file) => findOddWords(file, [...PHRASES, ...NAMES]))).toEqual([])
})

test('the documentation uses the terms of the field', () => {
  expect(pages.flatMap((page) => findOddWords(page, PHRASES))).toEqual([])
})

test('titles and comments of tests use the terms of the field', () => {
  const files = testFiles()
  expect(files.length).toBeGreaterThan(200)
  const prose = files.map(({ path, text }) => ({ path, text: proseOf(text) }))
  expect(prose.flatMap((file) => findOddWords(file, [...PHRASES, ...TEST_PHRASES]))).toEqual([])
})

test('titles and comments of a test file are its prose', () => {
  const text = "// Why.\nconst a = 'not this'\ntest.each([1])('a title', () => {\n/** And this. */\n"
  expect(proseOf(text).split('\n')).toEqual([
    '// Why.',
    '',
    "test.each([1])('a title', () => {",
    '/** And this. */',
    '',
  ])
})

test('each summary of the OpenAPI documents is a short imperative sentence', async () => {
  const summaries = Object.values(await readAllPaths()).flatMap((path) =>
    Object.values(path).map(({ summary = '' }) => summary),
  )
  expect(summaries.length).toBeGreaterThan(80)
  expect(summaries.filter((summary) => !IMPERATIVES.test(summary) || summary.endsWith('.'))).toEqual([])
})

test('an odd word is found with its line', () => {
  const file = { path: 'a.ts', text: '// Fine.\n// Whoever asks waits.\n' }
  expect(findOddWords(file, PHRASES)).toEqual(['a.ts:2: whoever -> the caller, the worker, subscribers'])
})

/** Every test file and helper, except this folder, which quotes the odd words. */
function testFiles() {
  const inTests = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('house'))
    .map((name) => join('test', name))
  const inSource = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('src', name))
  return [...inTests, ...inSource].map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}

/** Blanks the lines that are neither comments nor titles. */
function proseOf(text: string): string {
  return text
    .split('\n')
    .map((line) => (/^\s*(\/\/|\/?\*)|\b(test|describe)\b.*['"`]|\]\)\(\s*['"`]/.test(line) ? line : ''))
    .join('\n')
}

function findOddWords({ path, text }: { path: string; text: string }, rules: readonly Rule[]): string[] {
  return text.split('\n').flatMap((line, index) =>
    rules.flatMap(({ pattern, instead }) => {
      const [word] = pattern.exec(line) ?? []
      return word === undefined ? [] : [`${path}:${index + 1}: ${word.toLowerCase()} -> ${instead}`]
    }),
  )
}
