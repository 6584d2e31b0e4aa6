/**
 * The certificate that signs PayPal's webhooks. Node can read certificates and not write them, so the few fields of a
 * self-signed one are encoded here (DER, RFC 5280).
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Store } from '../store.ts'
import { newTransmissionId } from './events.ts'
import { paypalPath, paypalTime } from './ledger.ts'

type KeptCertificate = { keyPem: string; pem: string }

export type WebhookSigner = {
  /** The certificate by the name in its address. */
  certificate(): { name: string; pem: string }
  headers(body: string): Record<string, string>
  /** Returns whether the headers sign this body, as in verify-webhook-signature. */
  isSigned(given: { id: string; time: string; signature: string; webhookId: string; body: string }): boolean
}

export function createWebhookSigner(
  store: Store,
  { publicOrigin, webhookId, now }: { publicOrigin: string; webhookId: string; now: () => Temporal.Instant },
): WebhookSigner {
  const kept = store.collection<KeptCertificate>('paypal-certificate')

  // Generated on first use because it takes a moment.
  function current(): KeptCertificate & { name: string } {
    let found = kept.get('current')
    if (!found) {
      found = makeCertificate()
      kept.put('current', found)
    }
    return { ...found, name: `CERT-${createHash('sha256').update(found.pem).digest('hex').slice(0, 24)}` }
  }

  function signatureOf(id: string, time: string, forWebhook: string, body: string): string {
    const text = `${id}|${time}|${forWebhook}|${crc32(body)}`
    return sign('RSA-SHA256', Buffer.from(text), createPrivateKey(current().keyPem)).toString('base64')
  }

  return {
    certificate: current,
    headers(body) {
      const [id, time] = [newTransmissionId(), paypalTime(now())]
      return {
        'PAYPAL-TRANSMISSION-ID': id,
        'PAYPAL-TRANSMISSION-TIME': time,
        'PAYPAL-TRANSMISSION-SIG': signatureOf(id, time, webhookId, body),
        'PAYPAL-CERT-URL': `${publicOrigin}${paypalPath}/v1/notifications/certs/${current().name}`,
        'PAYPAL-AUTH-ALGO': 'SHA256withRSA',
      }
    },
    isSigned: ({ id, time, signature, webhookId: given, body }) =>
      given === webhookId && signatureOf(id, time, given, body) === signature,
  }
}

function makeCertificate(): KeptCertificate {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const base64 = certificateOf(privateKey).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  return { keyPem, pem: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n') }
}

const tags = { integer: 0x02, bits: 0x03, null: 0x05, oid: 0x06, text: 0x0c, time: 0x17, list: 0x30, set: 0x31 }

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

function certificateOf(key: KeyObject): Buffer {
  // 1.2.840.113549.1.1.11, RSA with SHA-256; 2.5.4.3, the common name.
  const algorithm = der(tags.list, der(tags.oid, Buffer.from('2a864886f70d01010b', 'hex')), der(tags.null))
  const commonName = der(
    tags.list,
    der(tags.oid, Buffer.from('550403', 'hex')),
    der(tags.text, Buffer.from('messageverificationcerts.paypal.example')),
  )
  const name = der(tags.list, der(tags.set, commonName))
  const life = der(
    tags.list,
    der(tags.time, Buffer.from('250101000000Z')),
    der(tags.time, Buffer.from('491231235959Z')),
  )
  const version = der(0xa0, der(tags.integer, Buffer.from([2])))
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const body = der(tags.list, version, der(tags.integer, Buffer.from([1])), algorithm, name, life, name, publicKey)
  const signature = sign('RSA-SHA256', body, key)
  return der(tags.list, body, algorithm, der(tags.bits, Buffer.from([0]), signature))
}
