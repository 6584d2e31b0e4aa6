/** Runs a month hour by hour. Advances the clock, completes due jobs, and runs each person's actions. */
import { performance } from 'node:perf_hooks'
import { randomOf } from '../../faults/random.ts'
import { buy, wishOf, type Wish } from './buyers.ts'
import { watchDeadlocks } from './deadlocks.ts'
import { dueBetween, enqueueDue, settleJobs, type OpenJob } from './due-jobs.ts'
import { goOn } from './later.ts'
import { askAs, attempt, openLife, refuse, today, together, type Life } from './life.ts'
import { goDown, outageOf } from './outages.ts'
import { signIn, signInBuyers, type Place } from './place.ts'
import { chooseAgain, enterBanks, workInShops } from './shops.ts'

/** The hours of UTC at which people act; in the first, at night, only jobs do. */
const hours = ['10:20', '15:10', '18:40', '22:05'] as const
/** Days after the last order, in which parcels, returns, holds and payouts come to their end, and the last renewal is reconciled. */
const quietDays = 18
const buyersAtOnce = 6

export type Lived = { life: Life; left: OpenJob[]; seconds: number }

/** Lives so many days with so many orders in all. */
export async function liveMonth(
  place: Place,
  { orders, days, seed }: { orders: number; days: number; seed: number },
): Promise<Lived> {
  const began = performance.now()
  const random = randomOf(seed)
  const life = openLife(place, random)
  await using _ = watchDeadlocks(place.database.db, (words) => refuse(life, words))
  await enterBanks(life)
  const buyingHours = days * (hours.length - 1)
  let no = 0
  let waiting: Wish[] = []
  for (let day = 1; day <= days + quietDays; day += 1) {
    const outage = day <= days ? outageOf(day, random) : undefined
    const outageHour = random.between(1, hours.length - 1)
    for (const [at, hour] of hours.entries()) {
      if (day > days + 2 && at > 0 && at < hours.length - 1) continue
      await step(life, day, hour)
      if (at === 0) continue
      if (day <= days) {
        const until = Math.round((orders * ((day - 1) * (hours.length - 1) + at)) / buyingHours)
        const wishes = [...waiting]
        for (; no < until; no += 1) wishes.push(wishOf(no, randomOf(seed * 100_003 + no)))
        life.isDown = at === outageHour && outage !== undefined
        const down = life.isDown && outage ? goDown(life, outage) : undefined
        waiting = await buyAll(life, wishes, seed)
        await down
      } else waiting = await buyAll(life, waiting, seed)
      await workInShops(life)
      await chooseAgain(life)
      await goOn(life)
      await settleJobs(place.database.db, 20)
      life.isDown = false
    }
    report(life, began)
  }
  const left = await settleJobs(place.database.db, 60)
  return { life, left, seconds: (performance.now() - began) / 1_000 }
}

/** Advances to an hour of the `day`-th day and resolves after the jobs that became due. */
async function step({ place }: Life, day: number, hour: string): Promise<void> {
  const { clock, database, store, people } = place
  const from = clock.now()
  const first = place.start.toZonedDateTimeISO('UTC').toPlainDate()
  await clock.to(
    first
      .add({ days: day })
      .toZonedDateTime({ timeZone: 'UTC', plainTime: Temporal.PlainTime.from(hour) })
      .toInstant(),
  )
  await enqueueDue(database.db, dueBetween(from, clock.now()))
  const open = await settleJobs(database.db, 30)
  if (open.length > 0) process.stdout.write(`Open at ${clock.now().toString()}: ${JSON.stringify(open.slice(0, 5))}\n`)
  // The last is the only one of quiet days in which people act.
  if (hour !== hours[1] && hour !== hours[3]) return
  await signIn(store, people)
  if (day % 10 === 0) await signInBuyers(store, people)
}

/** Runs an hour's buyers. Returns the interrupted ones, which retry. */
async function buyAll(life: Life, wishes: readonly Wish[], seed: number): Promise<Wish[]> {
  const again: Wish[] = []
  const one = async (wish: Wish) => {
    try {
      const placed = await buy(life.place, wish, randomOf(seed * 7_919 + wish.no))
      life.placed.push(placed)
      const { orders } = today(life)
      orders[placed.way] = (orders[placed.way] ?? 0) + 1
      if (placed.fate === 'canceled')
        await attempt(life, 'canceled', String(placed.orderId), () => cancel(life, placed))
    } catch (error) {
      refuse(life, `order by ${wish.way.name}, ${wish.delivery.name}: ${String(error)}`)
      again.push(wish)
    }
  }
  const byBuyer = Map.groupBy(wishes, ({ way }) => way.buyer)
  await Promise.all([
    together(byBuyer.get('guest') ?? [], buyersAtOnce, one),
    together(byBuyer.get('on-terms') ?? [], 1, one),
    together(byBuyer.get('at-resolve') ?? [], 1, one),
  ])
  return again
}

async function cancel(life: Life, order: Life['placed'][number]): Promise<boolean> {
  await askAs(life, order, ['POST', `/orders/${order.orderId}/cancellation`])
  return true
}

function report({ days, placed }: Life, began: number): void {
  const day = days.at(-1)
  const seconds = Math.round((performance.now() - began) / 1_000)
  process.stdout.write(
    `${seconds} s: ${day?.date} ${placed.length} orders ${JSON.stringify(day?.acts)} ${day?.outages.join()}\n`,
  )
}
