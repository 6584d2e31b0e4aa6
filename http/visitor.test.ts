import { expect, test } from 'vitest'
import { readVisitor, remember, withRecent } from './visitor.ts'

const secret = 'a secret of some length'
const keep = remember(true, secret)
const cookieOf = (header: string) => header.split(';')[0] ?? ''

test('stored values are read back and mark the request as personal', () => {
  const header = [
    keep.zip('60614'),
    keep.orders([104001, 104002]),
    keep.recent([{ label: '235/65R17', path: '/tire-sizes/235-65r17' }]),
  ]
    .map(cookieOf)
    .join('; ')
  expect(readVisitor(header, secret, '::1', true)).toMatchObject({
    zip: '60614',
    orderIds: [104001, 104002],
    recent: [{ label: '235/65R17', path: '/tire-sizes/235-65r17' }],
    isKnown: true,
  })
})

test('unsigned orders are ignored', () => {
  expect(readVisitor('sw_orders=104001.abcdef', secret, '::1').orderIds).toEqual([])
  expect(readVisitor('__Host-sw_orders=104001.abcdef', secret, '::1', true).orderIds).toEqual([])
  const forged = cookieOf(remember(false, secret).orders([104001])).replace('104001', '104002')
  expect(readVisitor(forged, secret, '::1').orderIds).toEqual([])
})

test.for([
  'sw_zip=6061',
  'sw_zip=%00',
  'sw_cart=1',
  'sw_recent=%5B%5B%22x%22%2C%22%2F%2Fevil.test%22%5D%5D',
  'sw_recent=%7B',
  '',
])('a cookie that is not of its form counts as absent: %s', (header) => {
  expect(readVisitor(header, secret, '::1')).toMatchObject({
    zip: undefined,
    cartId: undefined,
    recent: [],
    orderIds: [],
  })
})

test('with TLS a session is bound to the host, and one set by another host of the domain is ignored', () => {
  const cookie = cookieOf(keep.session('id.secret'))
  expect(keep.session('id.secret')).toMatch(/^__Host-sw_session=id\.secret;.*Path=\/;.*HttpOnly; Secure; SameSite=Lax$/)
  expect(keep.signIn('x'.repeat(43))).toMatch(/^__Host-sw_sign_in=/)
  expect(readVisitor(cookie, secret, '::1', true)).toMatchObject({ session: 'id.secret', isKnown: true })
  expect(readVisitor('sw_session=id.secret', secret, '::1', true)).toMatchObject({ session: undefined, isKnown: true })
  expect(readVisitor('sw_session=id.secret', secret, '::1')).toMatchObject({ session: 'id.secret' })
})

test('with TLS a cart is bound to the host, and one set by another host of the domain is ignored', () => {
  const id = '3f0c2f3e-7a57-4d51-9d68-0c7a0f6a2b11'
  expect(keep.cart(id)).toMatch(new RegExp(`^__Host-sw_cart=${id};.*Path=/;.*HttpOnly; Secure; SameSite=Lax$`))
  expect(keep.cart(null)).toMatch(/^__Host-sw_cart=; Max-Age=0; Path=\//)
  expect(readVisitor(cookieOf(keep.cart(id)), secret, '::1', true).cartId).toBe(id)
  expect(readVisitor(`sw_cart=${id}`, secret, '::1', true).cartId).toBeUndefined()
  expect(readVisitor(`sw_cart=${id}`, secret, '::1').cartId).toBe(id)
})

test('keys of orders and the id of a code are kept for the host, the newest five, and read back', () => {
  const keyOf = (orderId: number) => `${orderId}-1795000000.${'x'.repeat(43)}`
  const kept = remember(true, secret)
  const none = readVisitor(null, secret, '::1')
  const header = kept.orderKey({ ...none, orderKeys: [1, 2, 3, 4, 5].map(keyOf) }, keyOf(6))
  expect(header).toMatch(/^__Host-sw_order_keys=.*Max-Age=3600; Path=\/;.*HttpOnly; Secure; SameSite=Lax$/)
  expect(readVisitor(cookieOf(header), secret, '::1', true)).toMatchObject({ orderKeys: [2, 3, 4, 5, 6].map(keyOf) })
  expect(readVisitor(`sw_order_keys=${keyOf(1)}`, secret, '::1', true).orderKeys).toEqual([])
  expect(readVisitor('sw_order_keys=1~x~1-2.y', secret, '::1').orderKeys).toEqual([])
  const id = '3f0c2f3e-7a57-4d51-9d68-0c7a0f6a2b11'
  expect(readVisitor(cookieOf(kept.orderCode(id)), secret, '::1', true).orderCodeId).toBe(id)
  expect(readVisitor('sw_order_code=1', secret, '::1').orderCodeId).toBeUndefined()
})

test('a repeated search moves to the front instead of appearing twice', () => {
  const a = { label: 'a', path: '/a' }
  const b = { label: 'b', path: '/b' }
  expect(withRecent([b, a], a)).toEqual([a, b])
})
