import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkForm, cleanText, formRefusal, readForm } from './form.ts'

const post = (body: BodyInit, type?: string) =>
  new Request('http://store.test/', { method: 'POST', body, ...(type ? { headers: { 'content-type': type } } : {}) })

test('a form keeps what was typed and says the first message of each field', async () => {
  const fields = await readForm(post(new URLSearchParams({ zip: 'abc', name: 'Dana' })))
  const checked = checkForm(z.object({ zip: z.string().regex(/^\d{5}$/, 'Oops. Please enter a valid ZIP code.'), name: z.string() }), fields)
  expect(checked).toEqual({ ok: false, reply: { values: { zip: 'abc', name: 'Dana' }, errors: { zip: 'Oops. Please enter a valid ZIP code.' } } })
})

test('the first of two values counts, for who takes one field and for who takes all', async () => {
  const fields = await readForm(post('role=viewer&role=owner&__proto__=x', 'application/x-www-form-urlencoded'))
  const role = z.object({ role: z.string() })
  expect([fields.get('role'), fields.getAll('role'), checkForm(role, fields)]).toEqual(['viewer', ['viewer'], { ok: true, value: { role: 'viewer' } }])
  expect(formRefusal(fields, 'no').values['role']).toBe('viewer')
})

test('null bytes and half characters never get past the door', async () => {
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
