import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Collection, Store } from '../store.ts'

export type Memory = {
  /** The `oidc-provider` storage adapter for one kind. */
  adapterFor(kind: string): Adapter
  /** Deletes expired documents. */
  forget(now: Temporal.Instant): void
}

/** Stores `oidc-provider`'s documents in the sandbox's file by kind and id, with an alarm at which they expire. */
export function openMemory(store: Store, now: () => Temporal.Instant): Memory {
  const documents: Collection<Kept> = store.collection('oidc')
  const sessions = store.collection<string>('oidc-session')
  const grants = store.collection<string[]>('oidc-grant')

  return {
    adapterFor(kind) {
      const keyOf = (id: string) => `${kind}:${id}`
      return {
        async upsert(id, payload, expiresIn) {
          const dueAt = expiresIn === undefined ? null : now().add({ seconds: expiresIn })
          store.transaction(() => {
            documents.put(keyOf(id), { key: keyOf(id), payload }, dueAt)
            if (kind === 'Session' && payload.uid !== undefined) sessions.put(payload.uid, id, dueAt)
            // Whatever was issued under a grant is revoked with it.
            if (payload.grantId !== undefined && kind !== 'Interaction')
              grants.put(payload.grantId, [...new Set([...(grants.get(payload.grantId) ?? []), keyOf(id)])], dueAt)
          })
        },
        async find(id) {
          return documents.get(keyOf(id))?.payload
        },
        async findByUid(uid) {
          const id = sessions.get(uid)
          return id === undefined ? undefined : documents.get(keyOf(id))?.payload
        },
        async findByUserCode() {
          return undefined
        },
        async consume(id) {
          const kept = documents.get(keyOf(id))
          if (kept)
            documents.put(keyOf(id), {
              ...kept,
              payload: { ...kept.payload, consumed: Math.floor(now().epochMilliseconds / 1000) },
            })
        },
        async destroy(id) {
          documents.remove(keyOf(id))
        },
        async revokeByGrantId(grantId) {
          store.transaction(() => {
            for (const key of grants.get(grantId) ?? []) documents.remove(key)
            grants.remove(grantId)
          })
        },
      }
    },
    forget(instant) {
      for (let due = documents.nextDue(instant); due; due = documents.nextDue(instant)) documents.remove(due.id)
      for (let due = sessions.nextDue(instant); due; due = sessions.nextDue(instant)) sessions.remove(due.id)
      for (let due = grants.nextDue(instant); due; due = grants.nextDue(instant)) grants.remove(due.id)
    },
  }
}

type Kept = { key: string; payload: AdapterPayload }
