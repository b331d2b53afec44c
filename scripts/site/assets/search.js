// The search box. The text of all pages is loaded when the box is first used.
import { createSearch } from './find-sections.ts'

const EXCERPT_LENGTH = 140

const input = document.querySelector('#search')
const list = document.querySelector('#results')
const root = new URL(document.body.dataset.root, location.href)
let search

function load() {
  search ??= fetch(new URL('search.json', root)).then(async (response) => createSearch(await response.json()))
  return search
}

async function update() {
  const query = input.value.trim()
  const found = query === '' ? [] : (await load())(query)
  // The answer to an older query must not replace that of a newer one.
  if (query !== input.value.trim()) return
  list.replaceChildren(...found.map((section) => renderResult(section, query)))
  if (query !== '' && found.length === 0) list.append(element('li', 'Nothing found.'))
  list.hidden = query === ''
}

function renderResult({ id, page, heading, text }, query) {
  const item = document.createElement('li')
  const link = element('a', page === heading ? page : `${page}: ${heading}`)
  const [path, fragment] = id.split('#')
  link.href = new URL(`${path === 'index' ? '' : path}#${fragment}`, root)
  link.append(element('small', excerpt(text, query)))
  item.append(link)
  return item
}

function excerpt(text, query) {
  const place = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0])
  const start = Math.max(0, place - EXCERPT_LENGTH / 3)
  return (start > 0 ? '…' : '') + text.slice(start, start + EXCERPT_LENGTH)
}

function element(name, text) {
  const created = document.createElement(name)
  created.textContent = text
  return created
}

function close() {
  input.value = ''
  list.hidden = true
}

input.addEventListener('focus', load, { once: true })
input.addEventListener('input', update)
list.addEventListener('click', close)
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key === '/' && !isTyping) {
    event.preventDefault()
    input.focus()
  }
  if (event.key === 'Escape') close()
  if (event.key === 'Enter' && event.target === input) list.querySelector('a')?.click()
})
