/** A document's sender, credentials, and request. */
import { z } from 'zod'
import { childAt, childrenOf, parseXml, type XmlElement } from '#platform/xml.ts'
import type { CxmlParty } from '#platform/cxml.ts'

export type CxmlRequest = {
  payloadId: string
  /** The identities of the sender, at most three. */
  from: CxmlParty[]
  to: CxmlParty[]
  secret: string
  isTest: boolean
  /** The element of the request, such as OrderRequest. */
  kind: string
  request: XmlElement
}

const payloadId = z.string().trim().min(1).max(255)
const party = z.object({ domain: z.string().trim().min(1).max(60), identity: z.string().trim().min(1).max(100) })
const secret = z.string().min(1).max(500)
const mostCredentials = 3

/** Reads a document that passed the checks before; words say why it is no request. */
export function readDocument(text: string): { ok: true; document: CxmlRequest } | { ok: false; words: string } {
  const root = parseXml(text)
  if (root?.name !== 'cXML') return { ok: false, words: 'This is not a cXML document that can be read.' }
  const id = payloadId.safeParse(root.attributes['payloadID'])
  if (!id.success) return { ok: false, words: 'The document has no payloadID.' }
  const [header, request] = [childAt(root, 'Header'), childAt(root, 'Request')]
  const [asked, ...more] = request?.children ?? []
  if (!header || !request || !asked || more.length > 0)
    return { ok: false, words: 'The document has no Header and one Request.' }
  const [from, to] = [partiesIn(childAt(header, 'From')), partiesIn(childAt(header, 'To'))]
  if (from.length === 0 || to.length === 0) return { ok: false, words: 'The Header has no From and To.' }
  const given = childrenOf(childAt(header, 'Sender'), 'Credential').map((each) =>
    childAt(each, 'SharedSecret')?.text.trim(),
  )
  return {
    ok: true,
    document: {
      payloadId: id.data,
      from,
      to,
      secret: secret.safeParse(given.find((each) => each !== undefined)).data ?? '',
      isTest: request.attributes['deploymentMode'] === 'test',
      kind: asked.name,
      request: asked,
    },
  }
}

function partiesIn(element: XmlElement | undefined): CxmlParty[] {
  return childrenOf(element, 'Credential')
    .slice(0, mostCredentials)
    .flatMap((credential) => {
      const read = party.safeParse({
        domain: credential.attributes['domain'],
        identity: childAt(credential, 'Identity')?.text,
      })
      return read.success ? read.data : []
    })
}
