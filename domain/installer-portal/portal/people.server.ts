/** A shop's team. Owners invite, change, and remove members, and at least one owner remains. */
import type { ShopRole } from '#domain/scheduling/installers/installers.ts'
import {
  addMember,
  type Colleague,
  countInvitations,
  endMembership,
  insertShopEvent,
  listMembers,
  lockPeople,
  selectShopEvents,
  setMemberRole,
  type ShopAct,
  type ShopEvent,
} from '#domain/scheduling/installers/installers.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { mostInvitationsADay, mostPeople } from './people.ts'
import { requireShopMember, type PortalActor } from './portal-sessions.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }
export type PeopleRefusal = Refused<'not-allowed' | 'already-member' | 'too-many' | 'not-found' | 'last-owner'>
type Saved = Outcome<null, PeopleRefusal>

/** Lists a shop's team members, and the latest changes. */
export async function listPeople(
  { db }: Pick<Deps, 'db'>,
  shopId: number,
): Promise<{ people: Colleague[]; events: ShopEvent[] }> {
  const [people, events] = await Promise.all([
    listMembers(db, shopId),
    selectShopEvents(db, { shopId, acts: ['invited', 'role', 'ended'], limit: 20 }),
  ])
  return { people, events }
}

/**
 * Invites a person by an email, which they have to verify to sign in. Refuses `already-member`, `too-many` people or
 * invitations, and `not-allowed`.
 */
export function invitePerson(
  deps: Deps,
  by: PortalActor,
  person: { email: string; name: string; role: ShopRole },
): Promise<Saved> {
  return act(deps, by, async (tx, { people, memberId, at }) => {
    if (people.some(({ email }) => email === person.email)) return refused('already-member')
    const { shopId } = by
    const since = at.subtract({ hours: 24 })
    if (people.length >= mostPeople || (await countInvitations(tx, shopId, since)) >= mostInvitationsADay)
      return refused('too-many')
    const inviter = people.find(({ id }) => id === memberId)
    const id = await addMember(tx, { ...person, shopId, by: inviter?.email ?? 'an owner', at })
    await queueMessage(tx, {
      kind: 'shop-invitation',
      key: `shop-invitation:${id}`,
      to: person.email,
      orderId: null,
      at,
    })
    return ok({ id, act: 'invited', note: person.role })
  })
}

/** Changes a member's role. Refuses with `last-owner`, `not-found` for a non-member, and `not-allowed`. */
export function changeRole(
  deps: Deps,
  by: PortalActor,
  { memberId: id, role }: { memberId: string; role: ShopRole },
): Promise<Saved> {
  return act(deps, by, async (tx, { people }) => {
    const found = people.find((each) => each.id === id)
    if (!found) return refused('not-found')
    if (found.role === role) return ok(null)
    if (role !== 'owner' && isLastOwner(people, id)) return refused('last-owner')
    await setMemberRole(tx, { id, role })
    return ok({ id, act: 'role', note: role })
  })
}

/** Removes a member, effective immediately. Refuses as `changeRole` does. */
export function endMember(deps: Deps, by: PortalActor, id: string): Promise<Saved> {
  return act(deps, by, async (tx, { people, at }) => {
    const found = people.find((each) => each.id === id)
    if (!found) return refused('not-found')
    if (isLastOwner(people, id)) return refused('last-owner')
    await endMembership(tx, { id, at })
    return ok({ id, act: 'ended', note: found.role })
  })
}

function isLastOwner(people: readonly Colleague[], id: string): boolean {
  return people.every((each) => each.id === id || each.role !== 'owner')
}

type Done = { id: string; act: ShopAct; note: string }

/** Serializes changes, and records each; a change without an effect isn't recorded. */
function act(
  { db, clock }: Deps,
  by: PortalActor,
  change: (
    tx: Tx,
    now: { people: Colleague[]; memberId: string; at: Temporal.Instant },
  ) => Promise<Outcome<Done | null, PeopleRefusal>>,
): Promise<Saved> {
  const at = clock.now()
  return db.transaction().execute(async (tx): Promise<Saved> => {
    await lockPeople(tx, by.shopId)
    const member = await requireShopMember(tx, by, 'people.edit', at)
    if (!member.ok) return member
    const { memberId } = member.value
    const done = await change(tx, { people: await listMembers(tx, by.shopId), memberId, at })
    if (!done.ok) return done
    const event = done.value
    if (event)
      await insertShopEvent(tx, {
        shopId: by.shopId,
        memberId,
        at,
        act: event.act,
        note: event.note,
        aboutId: event.id,
      })
    return ok(null)
  })
}
