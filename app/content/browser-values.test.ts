/** Tests that browser storage matches the specification's list, our table, the code, and the privacy copy. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Section 3 of the specification, in its order. */
const specified = `
  sign-in token, sign-in uid, account type, account type name and company name, cart id, cart quantity, cart shipping, cart appointment, order id,
  billing payment, disable-place-order flag, zipcode, region, zip, widget source id, shop id, widget id, account-type company, is-fleet-user flag,
  financing customer ids, CSRF state value,
  local storage: selected shop, local storage: shipping option, local storage: install-scheduled, local storage: vehicle metadata,
  local storage: user zip, local storage: quote retrieval, local storage: widget source,
  session storage: installer id, session storage: dealer code, session storage: mobile-install flag, session storage: selected services,
  session storage: user data`
  .split(',')
  .map((value) => value.trim())

const tables = readFileSync('docs/rules/browser-values.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', place = '', words = '']) => ({ name, place, words }))
const rows = tables.filter(({ name }) => specified.includes(name))
const beside = tables.filter(({ name }) => name.startsWith('`'))
/** "cookie sw_zip", as the documentation writes it. */
const documented = new Set([
  ...rows
    .filter(({ place }) => place === 'cookie' || place === 'local storage')
    .map(({ place, words }) => `${place} ${/`(\w+)`/.exec(words)?.[1]}`),
  ...beside.map(({ name, place }) => `${place} ${name.replaceAll('`', '')}`),
])

const sources = globSync('{app,domain,pictures,api,content,http}/**/*.{ts,tsx,js}', {
  exclude: (path) => /\.test\.tsx?$/.test(path),
}).map((file) => ({ file, text: readFileSync(file, 'utf8') }))

test('every value in the specification has a row, in order, saying where it is stored or why not', () => {
  expect(rows.map(({ name }) => name)).toEqual(specified)
  expect(
    rows.filter(({ place }) => !['cookie', 'local storage', 'server', 'later', 'nowhere'].includes(place)),
  ).toEqual([])
  expect(rows.filter(({ words }) => words.length < 8)).toEqual([])
})

test('the code stores exactly what the tables list', () => {
  const kept = new Set<string>()
  for (const { file, text } of sources) {
    for (const [, key = ''] of text.matchAll(/localStorage\.setItem\((\w+)/g))
      kept.add(`local storage ${new RegExp(`const ${key} = '(\\w+)'`).exec(text)?.[1]}`)
    for (const [, name = ''] of text.matchAll(/document\.cookie = [`'](?:\$\{\w+\}|(\w+))=/g))
      if (name !== '') kept.add(`cookie ${name}`)
    for (const [, name = ''] of text.matchAll(/stringifySetCookie\('(\w+)'/g)) kept.add(`cookie ${name}`)
    // Names defined in one place and used under that name.
    for (const [, name = ''] of text.matchAll(/(?:const \w*[cC]ookie = |^ {2}\w+: )'((?:sw|sidewall)_\w+|one_tap)'/gm))
      kept.add(`cookie ${name}`)
    // Drafts in the portal (docs/decisions/002-rendering.md).
    const keepsDrafts = file === 'app/ui/portal/drafts.js'
    // Drafts of staff replies, stored while the tab is open.
    expect(text.includes('sessionStorage'), file).toBe(file === 'app/office/detail-reply.tsx')
    expect(text.includes('indexedDB'), file).toBe(keepsDrafts)
  }
  expect([...kept].toSorted()).toEqual([...documented].toSorted())
})

test('no file other than those read here stores anything', () => {
  const keepers = sources
    .filter(({ text }) => /localStorage\.setItem|document\.cookie =|stringifySetCookie\(|cookieStore\.set/.test(text))
    .map(({ file }) => file)
  expect(keepers.toSorted()).toEqual([
    'app/routes/account/one-tap.tsx',
    'app/server/measure.ts',
    'app/ui/measure.js',
    'app/ui/zip-asking.ts',
    'http/consent.ts',
    'http/visitor.ts',
  ])
})

test('every name is disclosed to shoppers', () => {
  const policy = readFileSync('content/policies/privacy-policy.md', 'utf8')
  const cookies = [...policy.matchAll(/^\| (\w+_\w+) \|/gm)].map(([, name = '']) => `cookie ${name}`)
  const [, stored = ''] = /local storage until you clear it: (.*)/.exec(policy) ?? []
  const storage = [...stored.matchAll(/\b(?:sw|sidewall)_\w+/g)].map(([name]) => `local storage ${name}`)
  expect([...cookies, ...storage].toSorted()).toEqual([...documented].toSorted())
})
