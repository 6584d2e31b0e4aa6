/** An appointment as the page behind its link shows it, without an account. */
import { pictureOfItem } from '#app/views/tire-picture.server.ts'
import type { PictureRef } from '#app/ui/tire-picture.tsx'
import {
  appointmentMessages,
  appointmentNews,
  noticeOverMessage,
  otherWays,
  serviceMessages,
  type AppointmentNews,
} from '#content/messages/appointments.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import {
  canReply,
  canTakeTime,
  seenAppointment,
  type AppointmentStage,
} from '#domain/installer-portal/appointments/appointments.ts'
import {
  lateMinutes,
  bookingText,
  canActOn,
  cityLine,
  clockText,
  dayText,
  serviceText,
  timesOpening,
  timesOpeningText,
  timeText,
  vehicleText,
  type AppointmentReply,
  type ReplyKind,
} from '#domain/ordering/orders/orders.ts'
import {
  offerAppointmentTimes,
  readRating,
  readStage,
} from '#domain/installer-portal/appointments/appointments.server.ts'
import { bookingCan, choiceValue, type Choice, type OfferedDay } from '#domain/scheduling/booking/booking.ts'
import { calendarLinks } from '#domain/scheduling/booking/booking.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  orderAppointment,
  readAppointmentToken,
  readOrder,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import { formatCents } from '#platform/money.ts'
import { haveTiresLeft, selectRefusal } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { phoneText } from '#platform/phone-text.ts'
import { clockOf, localClock } from '#platform/time-text.ts'
import { slotText, slotTextWithZone } from '#content/messages/times.ts'
import type { Application } from '#application'

/** The page's URL parameters. */
export type AskedPage = { show: string | null; day: string | null; to: Choice | null; done: string | null }
type TimeButton = { value: string; text: string }

export type AppointmentPage = {
  number: string
  stage: AppointmentStage
  heading: string
  tag: { words: string; isAgreed: boolean } | null
  news: string | null
  when: { time: string; code: string | null } | null
  shop: { name: string; place: string; phone: string; directions: string | null } | null
  tires: { text: string; picture: PictureRef }[]
  facts: { name: string; value: string }[]
  bring: string[]
  calendar: { label: string; href: string }[]
  seen: string
  canConfirm: boolean
  /** Minutes by which the shopper may say they are late, each with the time the shop then expects them. */
  late: { minutes: number; expected: string }[]
  canSkip: boolean
  isLate: boolean
  move: { href: string; isOpen: boolean } | null
  times: TimesView | null
  /** The one time of a link in an email; `isFree`: it can still be taken. */
  single: { value: string; text: string; isFree: boolean } | null
  canChangePlace: boolean
  /** The page of an order of a service, where it is canceled; null for tires. */
  order: string | null
  /** Why installing there cannot be canceled here. */
  whyNotCanceled: string | null
  /** The refusal's effect, if the shop refused the job. `isStranded` means that the tires have shipped to that shop. */
  refusal: { words: string; isStranded: boolean } | null
  /** Whether the work can be rated, or was; null while it is not done. */
  rating: 'open' | 'given' | null
  until: string
}

export type TimesView = {
  /** Why no time can be picked yet; empty where times are open. */
  closed: string
  /** Of the shop's clock, on which all these times are: "CST"; empty without times. */
  zone: string
  /** The first free times, for one tap each. */
  first: TimeButton[]
  days: { date: string; text: string; isFree: boolean; isShown: boolean; href: string }[]
  shown: { text: string; times: TimeButton[]; dropOffs: TimeButton[] } | null
}

/** Returns the order for an appointment link; undefined if invalid or expired. */
export async function openAppointment(
  app: Application,
  token: string,
): Promise<{ order: OrderView; until: Temporal.Instant } | undefined> {
  const opened = readAppointmentToken(app.config.session.secret, token, app.clock.now())
  const order = opened && (await readOrder(app.db, opened.orderId))
  return order && { order, until: opened.until }
}

type Opened = { order: OrderView; until: Temporal.Instant; token: string }
type Staged = { order: OrderView; stage: AppointmentStage; reply: AppointmentReply | null; now: Temporal.Instant }

/** Everything the page shows. */
export async function appointmentPage(app: Application, opened: Opened, asked: AskedPage): Promise<AppointmentPage> {
  const { order, until, token } = opened
  const now = app.clock.now()
  const { stage, reply } = await readStage(app, order)
  const staged = { order, stage, reply, now }
  const whyNotCanceled = whyInstallationStays(order, now)
  const refusal = stage === 'lost' && order.booking ? await selectRefusal(app.db, order.booking.id) : undefined
  return {
    number: orderNumber(order.id),
    stage,
    heading: refusal ? `${order.shop?.name} cannot do the job` : headingOf(staged),
    order: order.isService ? paths.trackResult(order.id) : null,
    refusal: refusal ? refusalOf(app, order, refusal.reason) : null,
    news: newsOf(asked.done),
    shop: shopOf(order),
    tires: await tiresOf(app, order),
    facts: factsOf(order),
    ...agreedParts(app, staged, token),
    ...replyParts(staged),
    ...(await timeParts(app, staged, { token, asked })),
    canChangePlace: order.booking?.kind !== 'mobile' && whyNotCanceled === null,
    whyNotCanceled,
    rating: await readRating(app, order),
    until: dayText(until.toZonedDateTimeISO(order.timeZone)),
  }
}

/** Returns why the shopper can't cancel the installation or use another shop without our help; null if they can. */
export function whyInstallationStays(order: OrderView, now: Temporal.Instant): string | null {
  const { booking, shop } = order
  if (order.isService) return serviceMessages.canceledOnOrder
  if (booking && !bookingCan.cancelAsShopper(booking, now).can)
    return noticeOverMessage({ shop, noticeMinutes: booking.noticeMinutes })
  return canActOn(order, 'place', now).can ? null : appointmentMessages.shipped
}

function refusalOf({ config }: Application, order: OrderView, reason: string): AppointmentPage['refusal'] {
  const isStranded = haveTiresLeft(order)
  const next = order.isService
    ? serviceMessages.refused
    : isStranded
      ? `Your tires are at that shop already, or on their way to it. We are having them moved to another shop and call you with a time. You can also call us: ${config.store.phone}.`
      : 'There’s no extra charge. Pick a shop below, or have the tires shipped to you.'
  return { words: `${reason.endsWith('.') ? reason : `${reason}.`} ${next}`, isStranded }
}

/** What is shown of a time that is agreed. */
function agreedParts(
  app: Application,
  { order, stage, reply }: Staged,
  token: string,
): Pick<AppointmentPage, 'tag' | 'when' | 'bring' | 'calendar' | 'seen'> {
  const { booking, timeZone } = order
  const seen = booking ? seenAppointment(booking) : ''
  const isAhead = stage === 'settled' || stage === 'close'
  if (!booking || !(isAhead || stage === 'done')) return { tag: null, when: null, bring: [], calendar: [], seen }
  const when = { time: bookingText(booking, timeZone), code: booking.dropOffCode }
  if (!isAhead) return { tag: null, when, bring: [], calendar: [], seen }
  return {
    tag: { words: reply ? 'Confirmed' : 'Please confirm', isAgreed: reply !== null },
    when,
    bring: bringOf(order),
    calendar: calendarOf(app, order, token),
    seen,
  }
}

/** What the shopper can say of the time. */
function replyParts({
  order: { booking, timeZone },
  stage,
  reply,
  now,
}: Staged): Pick<AppointmentPage, 'canConfirm' | 'late' | 'canSkip' | 'isLate'> {
  if (!booking) return { canConfirm: false, late: [], canSkip: false, isLate: false }
  const { start } = booking
  const isSkipped = stage === 'skipped'
  const says = (kind: ReplyKind) => canReply(stage, kind, { start, now })
  return {
    canConfirm: says('coming') && reply?.kind !== 'coming',
    late:
      !isSkipped && says('late')
        ? lateMinutes.map((minutes) => ({ minutes, expected: clockText(start.add({ minutes }), timeZone) }))
        : [],
    canSkip: !isSkipped && says('not-coming'),
    isLate: reply?.kind === 'late',
  }
}

/** Returns bookable times, immediately if there is no appointment, otherwise on request. */
async function timeParts(
  app: Application,
  { order, stage }: Staged,
  { token, asked }: { token: string; asked: AskedPage },
): Promise<Pick<AppointmentPage, 'move' | 'times' | 'single'>> {
  if (!canTakeTime(stage)) return { move: null, times: null, single: null }
  const isOpen = asked.show === 'times' || asked.show === 'offer' || stage !== 'settled' || asked.to !== null
  const move = { href: `${serverPaths.appointment(token, { show: 'times' })}#times`, isOpen }
  if (!isOpen) return { move, times: null, single: null }
  const days = await offerAppointmentTimes(app, order)
  const { timeZone, booking } = order
  return {
    move,
    times: timesView(days, {
      token,
      day: asked.day,
      timeZone,
      kind: booking?.kind ?? 'wait',
      closed: closedText(app, order),
    }),
    single: asked.to && singleOf(asked.to, days, timeZone),
  }
}

function newsOf(done: string | null): string | null {
  return done !== null && Object.hasOwn(appointmentNews, done) ? appointmentNews[done as AppointmentNews] : null
}

const headings = {
  skipped: 'Not today? Pick a new time',
  missed: 'We missed you. Pick a new time',
  lost: 'Your time was released. Pick a new one',
  done: 'Your tires are installed',
  none: 'No appointment scheduled',
} as const

function headingOf({ order: { booking, shop, timeZone, isService }, stage, reply }: Staged): string {
  if (stage === 'done' && isService) return 'The work is done'
  if (stage !== 'settled' && stage !== 'close') return headings[stage]
  if (!booking) return headings.none
  const { start, kind } = booking
  if (reply?.kind === 'late') {
    const expected = clockText(start.add({ minutes: reply.minutesLate ?? 0 }), timeZone)
    return `${shop?.name} expects you at ${expected}`
  }
  if (kind === 'drop-off') return `Leave the car on ${dayText(start.toZonedDateTimeISO(timeZone))}`
  const time = timeText(start, timeZone)
  return reply ? `You’re set for ${time}` : `See you ${time}?`
}

function shopOf({ shop, booking }: OrderView): AppointmentPage['shop'] {
  if (!shop) return null
  const isVan = booking?.kind === 'mobile'
  const place = `${shop.street}, ${cityLine(shop)}`
  return {
    name: shop.name,
    place: isVan ? 'Comes to your address' : place,
    phone: phoneText(shop.phone),
    directions: isVan ? null : `https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`,
  }
}

function tiresOf({ catalog }: Pick<Application, 'catalog'>, { lines }: OrderView): Promise<AppointmentPage['tires']> {
  const tires = lines.filter(({ itemId, quantity, canceled }) => itemId !== null && quantity > canceled)
  return Promise.all(
    tires.map(async ({ itemId, quantity, canceled, description }) => ({
      text: `${quantity - canceled} ${description}`,
      picture: await pictureOfItem(catalog, itemId ?? 0),
    })),
  )
}

function factsOf(order: OrderView): AppointmentPage['facts'] {
  const { shipments, totalCents, invoice, isService } = order
  const coming = shipments.filter(({ state }) => state !== 'canceled' && state !== 'delivered' && state !== 'returned')
  const last = coming
    .map(({ promisedOn, expectedOn }) => expectedOn ?? promisedOn)
    .toSorted()
    .at(-1)
  const vehicle = vehicleText(order)
  const where = order.shop ? 'Tires at the shop' : 'Tires'
  return [
    ...(vehicle ? [{ name: 'Vehicle', value: vehicle }] : []),
    ...(isService
      ? [{ name: 'Service', value: serviceText(order) ?? '' }]
      : [{ name: where, value: last === undefined ? 'Delivered' : `by ${dayText(Temporal.PlainDate.from(last))}` }]),
    ...(invoice ? [] : [{ name: 'Paid', value: formatCents(totalCents) }]),
    ...(order.shop ? [{ name: 'Due at the shop', value: formatCents(0) }] : []),
  ]
}

function bringOf({ id, booking }: OrderView): string[] {
  return [
    'The car, and its wheel lock key if it has one',
    `Your order number: ${orderNumber(id)}`,
    ...(booking?.dropOffCode ? [`Your drop-off code: ${booking.dropOffCode}`] : []),
  ]
}

function calendarOf(app: Application, order: OrderView, token: string): AppointmentPage['calendar'] {
  const appointment = orderAppointment(app, order)
  if (!appointment) return []
  const links = calendarLinks(appointment)
  return [
    { label: 'Calendar file', href: serverPaths.appointmentCalendar(token) },
    { label: 'Google', href: links.google },
    { label: 'Outlook', href: links.outlook },
    { label: 'Yahoo', href: links.yahoo },
  ]
}

const mostDays = 14
const mostFirst = 3

/** Why no time can be picked yet, and how else to go on. */
function closedText({ clock, config, businessTerms }: Application, order: OrderView): string {
  const closed = timesOpeningText(
    timesOpening(order, { now: clock.now(), terms: businessTerms.current }),
    order.shop?.name ?? 'The shop',
  )
  return closed && `${closed} ${otherWays(config.store.phone)}`
}

function timesView(
  days: readonly OfferedDay[],
  {
    token,
    day,
    timeZone,
    kind,
    closed,
  }: { token: string; day: string | null; timeZone: string; kind: string; closed: string },
): TimesView {
  const free = days.filter(({ state }) => state === 'free')
  const shown = free.find(({ date }) => date.toString() === day) ?? free[0]
  const from = Math.max(0, free[0] ? days.indexOf(free[0]) : 0)
  const readyText = (at: Temporal.Instant) =>
    at.toZonedDateTimeISO(timeZone).toPlainDate().toString() === shown?.date.toString()
      ? `ready by ${localClock(at, timeZone)}`
      : `ready by ${slotText({ start: at }, timeZone)}`
  const button = (choice: Choice, text = slotText(choice, timeZone)) => ({ value: choiceValue(choice), text })
  const choicesOf = ({ date, times, dropOffs }: OfferedDay): Choice[] =>
    kind === 'drop-off'
      ? dropOffs.filter((each) => each.free).map(({ window }) => ({ date, window }))
      : times.filter((each) => each.free).map(({ start }) => ({ start }))
  return {
    closed,
    zone: shown ? clockOf(timeZone, shown.date).zone : '',
    first: free
      .flatMap((each) => choicesOf(each).slice(0, 2))
      .slice(0, mostFirst)
      .map((choice) => button(choice)),
    days: days.slice(from, from + mostDays).map(({ date, state }) => ({
      date: date.toString(),
      text: dayText(date),
      isFree: state === 'free',
      isShown: date.equals(shown?.date ?? date.subtract({ days: 1 })),
      href: `${serverPaths.appointment(token, { show: 'times', day: date.toString() })}#times`,
    })),
    shown: shown
      ? {
          text: dayText(shown.date),
          times: shown.times.filter((each) => each.free).map(({ start }) => button({ start })),
          dropOffs: shown.dropOffs
            .filter((each) => each.free)
            .map(({ window, start, end, readyBy }) =>
              button(
                { date: shown.date, window },
                `${slotText({ date: shown.date, window }, timeZone)}, ${localClock(start, timeZone)} to ${localClock(end, timeZone)}, ${readyText(readyBy)}`,
              ),
            ),
        }
      : null,
  }
}

function singleOf(to: Choice, days: readonly OfferedDay[], timeZone: string): AppointmentPage['single'] {
  const isFree = days.some(({ date, times, dropOffs }) =>
    'start' in to
      ? times.some((each) => each.free && each.start.equals(to.start))
      : to.date.equals(date) && dropOffs.some((each) => each.free && each.window === to.window),
  )
  return { value: choiceValue(to), text: slotTextWithZone(to, timeZone), isFree }
}
