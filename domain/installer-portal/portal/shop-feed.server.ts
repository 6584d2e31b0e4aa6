/**
 * A shop's calendar feed, at a URL with a 256-bit secret that calendar apps read without a session. The secret is shown
 * once, and the database has only its hash.
 */
import { portalPaths } from '#content/portal-paths.ts'
import { createHash, randomBytes } from 'node:crypto'
import { feedFile } from '#domain/scheduling/booking/booking.server.ts'
import { readShopName } from '#domain/scheduling/installers/installers.server.ts'
import { listFeedJobs } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { deleteFeed, selectFeed, selectFeedShop, upsertFeed, type Feed } from './shop-feed.sql.server.ts'
import { requireShopMember, type PortalActor } from './portal-sessions.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** For how many days past and canceled appointments stay in the feed. */
const feedPastDays = 30

/** Returns when a shop's feed was created. Undefined if the shop has no feed. */
export function readFeed({ db }: Pick<Deps, 'db'>, shopId: number): Promise<Feed | undefined> {
  return selectFeed(db, shopId)
}

/** Names the feed a page showed, so that a form pressed twice makes one. */
export function seenFeed(feed: Feed | undefined): string {
  return feed?.madeAt.toString() ?? ''
}

/**
 * Creates a new secret, which invalidates the previous one. Refuses with `not-allowed`, and `stale` if another one was
 * created since.
 */
export function makeFeed(
  { db, clock }: Deps,
  by: PortalActor,
  { seen }: { seen: string },
): Promise<Outcome<{ secret: string }, Refused<'not-allowed'> | Refused<'stale'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const member = await requireShopMember(tx, by, 'feed.edit', at)
    if (!member.ok) return member
    const secret = randomBytes(32).toString('base64url')
    const made = { shopId: by.shopId, secretHash: hashOf(secret), madeAt: at, madeBy: member.value.memberId }
    return (await upsertFeed(tx, made, seen)) ? ok({ secret }) : refused('stale')
  })
}

/** Ends the feed; its URL then responds like an unknown one. Idempotent. */
export function endFeed({ db, clock }: Deps, by: PortalActor): Promise<Outcome<null, Refused<'not-allowed'>>> {
  return db.transaction().execute(async (tx) => {
    const member = await requireShopMember(tx, by, 'feed.edit', clock.now())
    if (!member.ok) return member
    await deleteFeed(tx, by.shopId)
    return ok(null)
  })
}

/** The calendar behind a secret; undefined for any other text. */
export async function openFeed(
  { db, clock, config }: Deps & { config: Pick<Config, 'web'> },
  secret: string,
): Promise<string | undefined> {
  const shopId = await selectFeedShop(db, hashOf(secret))
  const shop = shopId === undefined ? undefined : await readShopName(db, shopId)
  if (!shop) return undefined
  // Whole days, so that the file changes only with its appointments.
  const today = clock.now().toZonedDateTimeISO(shop.timeZone).startOfDay()
  const jobs = await listFeedJobs(db, { shopId: shop.id, from: today.subtract({ days: feedPastDays }).toInstant() })
  const dayUrl = (on?: string) => config.web.origin + portalPaths.day(shop.code, { on })
  return feedFile(
    { name: shop.name, timeZone: shop.timeZone, url: dayUrl() },
    jobs.map(({ orderId, ...job }) => ({
      ...job,
      orderNumber: orderNumber(orderId),
      url: dayUrl(job.start.toZonedDateTimeISO(shop.timeZone).toPlainDate().toString()),
    })),
  )
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
