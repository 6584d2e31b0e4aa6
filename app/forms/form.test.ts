import { expect, test } from 'vitest'
import { z } from 'zod'
import { cleanText } from '#platform/plain-text.ts'
import { checkForm, formRefusal, readForm, readFormWithFile } from './form.ts'

const post = (body: BodyInit, type?: string) =>
  new Request('http://store.test/', { method: 'POST', body, ...(type ? { headers: { 'content-type': type } } : {}) })

test('a form retains the input and shows the first error of each field', async () => {
  const fields = await readForm(post(new URLSearchParams({ zip: 'abc', name: 'Dana' })))
  const checked = checkForm(
    z.object({ zip: z.string().regex(/^\d{5}$/, 'Oops. Please enter a valid ZIP code.'), name: z.string() }),
    fields,
  )
  expect(checked).toEqual({
    ok: false,
    reply: { values: { zip: 'abc', name: 'Dana' }, errors: { zip: 'Oops. Please enter a valid ZIP code.' } },
  })
})

test('the first of two values counts, whether one field is read or all', async () => {
  const fields = await readForm(post('role=viewer&role=owner&__proto__=x', 'application/x-www-form-urlencoded'))
  const role = z.object({ role: z.string() })
  expect(fields.get('role')).toBe('viewer')
  expect(fields.getAll('role')).toEqual(['viewer'])
  expect(checkForm(role, fields)).toEqual({ ok: true, value: { role: 'viewer' } })
  expect(formRefusal(fields, 'no').values['role']).toBe('viewer')
})

test('null bytes and unpaired surrogates are removed', async () => {
  const fields = await readForm(post(new URLSearchParams([['city', 'Chi\0cago']])))
  expect(fields.get('city')).toBe('Chicago')
  expect(cleanText('a\uD800b')).toBe('a\uFFFDb')
})

test.for([
  ['{"zip":"60614"}', 'application/json'],
  ['--x\r\nContent-Disposition: form-data; name="zip"\r\n\r\n606', 'multipart/form-data; boundary=x'],
  ['zip=1', 'text/plain'],
] as const)('a body that is no form is refused with 400: %s', async ([body, type]) => {
  const answer = await readForm(post(body, type)).catch((thrown: unknown) => thrown)
  expect(answer).toBeInstanceOf(Response)
  expect((answer as Response).status).toBe(400)
})

const plain = (count: number) =>
  post(Array.from({ length: count }, (_, index) => `f${index}=1`).join('&'), 'application/x-www-form-urlencoded')

function parts(count: number): Request {
  const form = new FormData()
  for (let index = 0; index < count; index += 1) form.append(`f${index}`, '1')
  return post(form)
}

test.for([
  ['200 fields', () => plain(200), 200],
  ['20 parts', () => parts(20), 20],
] as const)('a form of %s is read', async ([, make, count]) => {
  expect((await readForm(make())).size).toBe(count)
  expect((await readFormWithFile(make(), 'attachment')).fields.size).toBe(count)
})

test.for([
  ['201 fields', () => plain(201)],
  ['21 parts', () => parts(21)],
  ['60,000 parts', () => parts(60_000)],
  [
    'parts behind a quoted boundary',
    () =>
      post(
        '--a;b\r\ncontent-disposition: form-data; name=a\r\n\r\n1\r\n'.repeat(21) + '--a;b--',
        'Multipart/Form-Data; BOUNDARY="a;b"',
      ),
  ],
] as const)('a form of %s is refused before it is parsed', async ([, make]) => {
  for (const read of [readForm, (request: Request) => readFormWithFile(request, 'attachment')]) {
    const request = make()
    const answer = await read(request).catch((thrown: unknown) => thrown)
    expect(answer).toBeInstanceOf(Response)
    expect((answer as Response).status).toBe(413)
  }
})

test('terminal and bidirectional control characters are removed from a form, and ordinary text is kept', async () => {
  const written = 'Zoë 👩\u200d🔧 שלום\n\tsecond line'
  const body = new URLSearchParams({ message: `\x1b[2J${written}\u202e\x9b`, 'na\u202eme': 'x' })
  const fields = await readForm(post(body))
  expect(Object.fromEntries(fields)).toEqual({ message: `[2J${written}`, name: 'x' })
})
