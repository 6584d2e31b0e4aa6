import { withQuery } from '#content/paths.ts'

/** Why the portal did not open. */
export type PortalProblem = 'no-shop' | 'unverified'

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
