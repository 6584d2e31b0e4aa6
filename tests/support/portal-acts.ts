/** Every portal form by permission. Tests submit them as each role, at a shop and with its IDs. */
import type { PortalPermission } from '#domain/installer-portal/portal/portal.ts'
import { typedSteps } from '#domain/installer-portal/portal/portal.testing.ts'
import { newId } from '#platform/ids.ts'

/** The subject of the forms. A test fills it in, for its own shop or another one. */
export type PortalSubject = {
  /** The code of an open shop, and of one in set-up. */
  code: string
  newCode: string
  /** The open shop's upcoming job, its own job, and one of its bays. */
  booking: string
  ownJob: string
  bay: string
  /** A finished and paid job. */
  jobPay: string
}

export type PortalAct = {
  /** The module in app/routes/portal with the action. */
  module: string
  /** The button that is pressed; empty for a form with a single button. */
  intent: string
  permission: PortalPermission
  path(subject: PortalSubject): string
  form?(subject: PortalSubject): Record<string, string>
  /** The status for a member who may do it, when the acts are posted in the order of the table. */
  answer: 200 | 303 | 404 | 409 | 422
}

const day = Temporal.Now.plainDateISO('America/Chicago').add({ days: 200 }).toString()
const ownJob = ({ bay }: PortalSubject) => ({
  key: newId(),
  revision: '0',
  kind: 'phone',
  bay,
  on: day,
  at: '09:30',
  minutes: '45',
})
const job = (
  intent: string,
  answer: PortalAct['answer'],
  form: Record<string, string> = {},
): PortalAct & { module: 'job' } => ({
  module: 'job',
  intent,
  permission: 'jobs.work',
  path: ({ code, booking }) => `/portal/${code}/jobs/${booking}`,
  form: () => form,
  answer,
})
const atOwnJob = ({ code, ownJob: id }: PortalSubject) => `/portal/${code}/own-jobs/${id}`
const setUp = (step: string): PortalAct => ({
  module: `set-up-${step}`,
  intent: typedSteps[step]?.['intent'] ?? '',
  permission: 'set-up.edit',
  path: ({ newCode }) => `/portal/${newCode}/set-up/${step}`,
  form: () => typedSteps[step] ?? {},
  answer: 303,
})

const capacity = (intent: string, answer: PortalAct['answer'], form: Record<string, string>): PortalAct => ({
  module: 'capacity',
  intent,
  permission: 'capacity.edit',
  path: ({ code }) => `/portal/${code}/capacity`,
  form: () => form,
  answer,
})
const capacityActs = [
  capacity('version', 422, { from: day }),
  capacity('withdraw', 409, { day }),
  capacity('close', 303, { on: day, reason: 'Inventory' }),
  capacity('open', 303, { day }),
]

export const portalActs: readonly PortalAct[] = [
  // Onboarding completes immediately because every step is saved first.
  ...['hours', 'bays', 'prices', 'lengths', 'blackout-days'].map(setUp),
  {
    module: 'set-up',
    intent: '',
    permission: 'shop.open',
    path: ({ newCode }) => `/portal/${newCode}/set-up`,
    answer: 303,
  },
  {
    module: 'own-job-new',
    intent: '',
    permission: 'own-job.edit',
    path: ({ code }) => `/portal/${code}/jobs/new`,
    form: (subject) => ({ ...ownJob(subject), at: '13:00' }),
    answer: 303,
  },
  // Without a plate.
  {
    module: 'own-job-new',
    intent: 'plate',
    permission: 'own-job.edit',
    path: ({ code }) => `/portal/${code}/jobs/new`,
    answer: 422,
  },
  { module: 'own-job', intent: 'plate', permission: 'own-job.edit', path: atOwnJob, answer: 422 },
  // Its revision is an older one.
  {
    module: 'own-job',
    intent: '',
    permission: 'own-job.edit',
    path: atOwnJob,
    form: (subject) => ({ ...ownJob(subject), revision: '99' }),
    answer: 409,
  },
  ...(['cancel', 'reopen', 'done'] as const).map((intent): PortalAct => ({
    module: 'own-job',
    intent,
    permission: 'own-job.edit',
    path: atOwnJob,
    answer: 303,
  })),
  // Another time without a reason.
  {
    module: 'move',
    intent: '',
    permission: 'appointment.move',
    path: ({ code, booking }) => `/portal/${code}/moves/${booking}`,
    form: ({ bay }) => ({ on: day, at: '10:00', bay, reason: '' }),
    answer: 422,
  },
  job('save', 303, { odometer: '41,836' }),
  job('vin-matches', 303, { odometer: '41,836' }),
  job('plate', 422),
  job('late', 303, { late: '30' }),
  job('check', 422),
  job('scan', 422, { scanned: 'no such number' }),
  job('less', 303, { line: '1' }),
  job('more', 303, { line: '1' }),
  job('report', 422, { key: newId(), kind: 'damaged', reportLine: '1', count: '1', note: 'A cut' }),
  job('finish', 409),
  job('arrived', 303),
  job('in-bay', 303),
  job('photo', 422, { kind: 'front' }),
  job('wrong-vehicle', 303, { 'why-wrong-vehicle': 'A truck' }),
  job('wrong-tires', 409, { 'why-wrong-tires': 'Another size' }),
  job('no-show', 409),
  job('refused', 303, { because: 'rim' }),
  ...capacityActs,
  ...(['plan', 'withdraw'] as const).map((intent): PortalAct => ({
    module: 'prices',
    intent,
    permission: 'prices.edit',
    path: ({ code }) => `/portal/${code}/prices`,
    form: () => (intent === 'plan' ? { from: day } : { day }),
    answer: intent === 'plan' ? 422 : 409,
  })),
  {
    module: 'people',
    intent: 'invite',
    permission: 'people.edit',
    path: ({ code }) => `/portal/${code}/people`,
    form: () => ({ name: 'Ada', email: 'ada.invited@example.com', role: 'technician' }),
    answer: 303,
  },
  // Filled from an older version than the shop has.
  {
    module: 'profile',
    intent: '',
    permission: 'profile.edit',
    path: ({ code }) => `/portal/${code}/profile`,
    form: () => ({
      name: 'Acts Tire',
      kind: 'shop',
      street: '1 Dock Road',
      city: 'Joliet',
      zip: '60436',
      phone: '(312) 555-0199',
      rimMinIn: '12',
      rimMaxIn: '22',
      aspectMin: '35',
      receivingMinutes: '60',
      version: '0',
    }),
    answer: 409,
  },
  // No shop staff member has this ID.
  ...(['role', 'end'] as const).map((intent): PortalAct => ({
    module: 'people',
    intent,
    permission: 'people.edit',
    path: ({ code }) => `/portal/${code}/people`,
    form: () => ({ member: newId(), role: 'technician' }),
    answer: 404,
  })),
  // A shop has no area: only a van.
  {
    module: 'area',
    intent: '',
    permission: 'area.edit',
    path: ({ code }) => `/portal/${code}/area`,
    form: () => ({ zips: '60614', seen: '' }),
    answer: 409,
  },
  // A set appears once a service with storage is done.
  ...['place', 'return'].map((intent) => ({
    module: 'storage',
    intent,
    permission: 'jobs.work' as const,
    path: ({ code }: PortalSubject) => `/portal/${code}/storage`,
    form: () => ({ order: '1' }),
    answer: 409 as const,
  })),
  {
    module: 'store',
    intent: '',
    permission: 'store.edit',
    path: ({ code }) => `/portal/${code}/store`,
    form: () => ({ name: '' }),
    answer: 422,
  },
  {
    module: 'store',
    intent: 'check-host',
    permission: 'store.edit',
    path: ({ code }) => `/portal/${code}/store`,
    answer: 409,
  },
  {
    module: 'emails',
    intent: 'save',
    permission: 'emails.edit',
    path: ({ code }) => `/portal/${code}/emails`,
    form: () => ({ summary: 'off' }),
    answer: 303,
  },
  {
    module: 'emails',
    intent: 'phone',
    permission: 'emails.edit',
    path: ({ code }) => `/portal/${code}/emails`,
    form: () => ({ phone: '' }),
    answer: 422,
  },
  {
    module: 'emails',
    intent: 'no-phone',
    permission: 'emails.edit',
    path: ({ code }) => `/portal/${code}/emails`,
    answer: 303,
  },
  ...(['make', 'end'] as const).map((intent): PortalAct => ({
    module: 'feed',
    intent,
    permission: 'feed.edit',
    path: ({ code }) => `/portal/${code}/feed`,
    form: () => ({ seen: '' }),
    answer: intent === 'make' ? 200 : 303,
  })),
  {
    module: 'pay',
    intent: '',
    permission: 'pay.dispute',
    path: ({ code }) => `/portal/${code}/pay`,
    form: ({ jobPay }) => ({ about: `job:${jobPay}`, words: 'Four tires, not two.' }),
    answer: 303,
  },
  {
    module: 'pay-bank',
    intent: '',
    permission: 'pay.bank',
    path: ({ code }) => `/portal/${code}/pay/bank`,
    answer: 303,
  },
]
