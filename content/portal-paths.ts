import { withQuery } from '#content/paths.ts'

/** Why the portal did not open. */
export type PortalProblem = 'no-shop' | 'unverified' | 'verification-unstated'

/** The steps of a shop's set-up that have a page. */
type SetUpStepPath = 'hours' | 'bays' | 'prices' | 'lengths' | 'blackout-days'

/** The addresses of shops: where they apply, and the portal in which they run their day, each with the shop's code. */
export const portalPaths = {
  /** Where shops apply to install tires; `saved` after their form was saved for later. */
  installerSignup: (news?: 'saved' | 'copied') => withQuery('/installer-signup', { news }),
  /** A shop's own application, by its link. */
  shopApplication: (token: string) => `/installer-signup/${encodeURIComponent(token)}`,
  /** Leads to the only shop of its reader, or lists their shops. */
  portal: () => '/portal',
  signIn: (asked: { back?: string; problem?: PortalProblem; again?: 'yes' } = {}) =>
    withQuery('/portal/sign-in', asked),
  signOut: () => '/portal/sign-out' as const,
  /** The day by bay, today by default: `on` is a day such as "2026-11-24". */
  day: (shopCode: string, asked: { on?: string | undefined; done?: string | undefined } = {}) =>
    withQuery(`/portal/${shopCode}`, asked),
  /** A job of the day, with what became of the last act; `at` is a part of the page. */
  job: (shopCode: string, bookingId: string, done?: string) =>
    withQuery(`/portal/${shopCode}/jobs/${bookingId}`, { done }),
  /** Where the calendar feed of a shop is made and ended. */
  feed: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/feed`, { done }),
  /** Which emails about the shop its reader gets. */
  emails: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/emails`, { done }),
  /** Where a shop makes the store under its name, and sees what it sold. */
  store: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/store`, { done }),
  /** The feed itself, read by calendar programs. */
  feedFile: (secret: string) => `/portal/feed/${secret}.ics`,
  /** The week of a day, this one by default. */
  week: (shopCode: string, asked: { on?: string | undefined } = {}) => withQuery(`/portal/${shopCode}/week`, asked),
  /** A day on paper. */
  daySheet: (shopCode: string, asked: { on?: string | undefined } = {}) =>
    withQuery(`/portal/${shopCode}/day-sheet`, asked),
  /** Where a van comes on a day, today by default. */
  stops: (shopCode: string, asked: { on?: string | undefined } = {}) => withQuery(`/portal/${shopCode}/stops`, asked),
  /** The ZIP codes a van comes to. */
  area: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/area`, { done }),
  /** The number that changes with a shop's calendar. */
  dayVersion: (shopCode: string) => `/portal/${shopCode}/day/version`,
  /** Where a job of the shop is entered: `bay` is an id, `at` a time such as "09:30". */
  newOwnJob: (
    shopCode: string,
    asked: { on?: string | undefined; bay?: string | undefined; at?: string | undefined } = {},
  ) => withQuery(`/portal/${shopCode}/jobs/new`, asked),
  ownJob: (shopCode: string, ownJobId: string, asked: { done?: string | undefined } = {}) =>
    withQuery(`/portal/${shopCode}/own-jobs/${ownJobId}`, asked),
  /** Where the shop moves an online appointment. */
  move: (shopCode: string, bookingId: string, asked: { on?: string | undefined } = {}) =>
    withQuery(`/portal/${shopCode}/moves/${bookingId}`, asked),
  /** What the shop takes from each day on, with what became of the last act. */
  capacity: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/capacity`, { done }),
  /** The price lists of the shop. */
  prices: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/prices`, { done }),
  /** What the shop's public page says. */
  profile: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/profile`, { done }),
  /** Who works for the shop. */
  people: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/people`, { done }),
  setUp: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/set-up`, { done }),
  setUpStep: (shopCode: string, step: SetUpStepPath) => `/portal/${shopCode}/set-up/${step}`,
  /** What the shop is paid; `about` is the job or adjustment of `week` whose dispute is written. */
  pay: (shopCode: string, asked: { about?: string; week?: string; done?: string } = {}) =>
    withQuery(`/portal/${shopCode}/pay`, asked),
  /** Where the provider leads back to after the bank details. */
  payBank: (shopCode: string) => `/portal/${shopCode}/pay/bank`,
  /** The statement of a week, which begins on the Monday "2026-11-16". */
  payWeek: (shopCode: string, week: string) => `/portal/${shopCode}/pay/${week}`,
  payWeekFile: (shopCode: string, week: string, as: 'csv' | 'pdf') => `/portal/${shopCode}/pay/${week}/statement.${as}`,
}
