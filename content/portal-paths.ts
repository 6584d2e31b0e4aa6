import { withQuery } from '#content/paths.ts'

/** Why the portal did not open. */
export type PortalProblem = 'no-shop' | 'unverified' | 'verification-unstated'

/** The steps of a shop's set-up that have a page. */
type SetUpStepPath = 'hours' | 'bays' | 'prices' | 'lengths' | 'blackout-days'

/** The URLs for shops. They include the application, and the portal with the shop's code. */
export const portalPaths = {
  /** Where shops apply to install tires; `saved` after their form was saved for later. */
  installerSignup: (news?: 'saved' | 'copied') => withQuery('/installer-signup', { news }),
  /** A shop's own application, by its link. */
  shopApplication: (token: string) => `/installer-signup/${encodeURIComponent(token)}`,
  /** Redirects to the user's only shop, or lists their shops. */
  portal: () => '/portal',
  signIn: (asked: { back?: string; problem?: PortalProblem; again?: 'yes' } = {}) =>
    withQuery('/portal/sign-in', asked),
  signOut: () => '/portal/sign-out' as const,
  /** The day by bay, today by default: `on` is a day such as "2026-11-24". */
  day: (shopCode: string, asked: { on?: string | undefined; done?: string | undefined } = {}) =>
    withQuery(`/portal/${shopCode}`, asked),
  /** A job, with the last action's result. `at` is a part of the page. */
  job: (shopCode: string, bookingId: string, done?: string) =>
    withQuery(`/portal/${shopCode}/jobs/${bookingId}`, { done }),
  jobPhoto: (shopCode: string, bookingId: string, kind: string) =>
    `/portal/${shopCode}/jobs/${bookingId}/photos/${kind}`,
  /** Creates and deletes a shop's calendar feed. */
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
  /** The sets that the shop stores, with the last action's result. */
  storage: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/storage`, { done }),
  /** Where a van comes on a day, today by default. */
  stops: (shopCode: string, asked: { on?: string | undefined } = {}) => withQuery(`/portal/${shopCode}/stops`, asked),
  /** The ZIP codes a van comes to. */
  area: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/area`, { done }),
  /** The number that changes with a shop's calendar. */
  dayVersion: (shopCode: string) => `/portal/${shopCode}/day/version`,
  /** Creates a shop's own job. `bay` is an ID, `at` a time such as "09:30". */
  newOwnJob: (
    shopCode: string,
    asked: { on?: string | undefined; bay?: string | undefined; at?: string | undefined } = {},
  ) => withQuery(`/portal/${shopCode}/jobs/new`, asked),
  ownJob: (shopCode: string, ownJobId: string, asked: { done?: string | undefined } = {}) =>
    withQuery(`/portal/${shopCode}/own-jobs/${ownJobId}`, asked),
  /** Where the shop moves an online appointment. `on`, `at` and `bay` fill in the form; `bay` is an ID, or "any". */
  move: (shopCode: string, bookingId: string, asked: { on?: string; at?: string; bay?: string } = {}) =>
    withQuery(`/portal/${shopCode}/moves/${bookingId}`, asked),
  /** The shop's capacity by start date, with the last action's result. */
  capacity: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/capacity`, { done }),
  /** The price lists of the shop. */
  prices: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/prices`, { done }),
  /** The content of the shop's public page. */
  profile: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/profile`, { done }),
  /** The shop's staff. */
  people: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/people`, { done }),
  setUp: (shopCode: string, done?: string) => withQuery(`/portal/${shopCode}/set-up`, { done }),
  setUpStep: (shopCode: string, step: SetUpStepPath) => `/portal/${shopCode}/set-up/${step}`,
  /** The shop's pay. `about` is the job or adjustment of `week` to dispute. */
  pay: (shopCode: string, asked: { about?: string; week?: string; done?: string } = {}) =>
    withQuery(`/portal/${shopCode}/pay`, asked),
  /** Where the provider leads back to after the bank details. */
  payBank: (shopCode: string) => `/portal/${shopCode}/pay/bank`,
  /** The statement of a week that starts on Monday, such as "2026-11-16". */
  payWeek: (shopCode: string, week: string) => `/portal/${shopCode}/pay/${week}`,
  payWeekFile: (shopCode: string, week: string, as: 'csv' | 'pdf') => `/portal/${shopCode}/pay/${week}/statement.${as}`,
}
