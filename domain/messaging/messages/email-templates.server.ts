/**
 * Email templates in the back office: managers change the subject and text of each kind, try them with a real order,
 * and go back to the template of the release. `sendMessage` reads the stored template with each email.
 */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { withoutSecrets } from './email-copy.ts'
import type { EmailDraft } from './email-template-form.ts'
import {
  selectTemplate,
  selectTemplates,
  upsertTemplate,
  type EmailTemplate,
  type StoredTemplate,
} from './email-templates.sql.server.ts'
import type { Mailer } from './mail.port.ts'
import { messageKinds, type MessageKind, type MessageValues } from './messages.ts'
import { previewMessage } from './preview.server.ts'
import { readFromContent, renderMessage, templateOf, type ReadTemplate, type RenderedMail } from './render.server.ts'
import { checkTemplate, variablesOf, type TemplateErrors, type TemplateVariable } from './template-rules.server.ts'
import { storeValues } from './template-values.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import type { JobPayload } from '#platform/job-payloads.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** `readTemplate` reads the released templates. Bundles pass a custom function, because they don't have these files. */
type Deps = { db: Database; clock: Clock; readTemplate?: ReadTemplate }
type Wrong = Refused<'template-wrong', TemplateErrors>

/** A kind as the back office shows it. `version` is 0 for one never edited. */
export type OfficeTemplate = {
  kind: MessageKind
  template: EmailTemplate
  isEdited: boolean
  version: number
  changedBy: string | null
  changedAt: Temporal.Instant | null
}

/** Lists every kind of email with the subject and text it has now. */
export async function listEmailTemplates({
  db,
  readTemplate = readFromContent,
}: Pick<Deps, 'db' | 'readTemplate'>): Promise<OfficeTemplate[]> {
  const stored = new Map((await selectTemplates(db)).map((each) => [each.kind, each]))
  return Promise.all(messageKinds.map(async (kind) => officeTemplate(kind, stored.get(kind), await readTemplate(kind))))
}

/** Finds a kind's template, with the released one and the variables it may use. */
export async function findEmailTemplate(
  { db, readTemplate = readFromContent }: Pick<Deps, 'db' | 'readTemplate'>,
  kind: MessageKind,
): Promise<OfficeTemplate & { released: EmailTemplate; variables: TemplateVariable[] }> {
  const source = await readTemplate(kind)
  const released = templateOf(kind, source)
  return {
    ...officeTemplate(kind, await selectTemplate(db, kind), source),
    released,
    variables: variablesOf(kind, released),
  }
}

function officeTemplate(kind: MessageKind, stored: StoredTemplate | undefined, source: string): OfficeTemplate {
  return {
    kind,
    template: stored?.template ?? templateOf(kind, source),
    isEdited: stored?.template != null,
    version: stored?.version ?? 0,
    changedBy: stored?.changedBy ?? null,
    changedAt: stored?.changedAt ?? null,
  }
}

type SaveRefusal = Refused<'not-allowed'> | Refused<'changed-meanwhile'>

/**
 * Saves the template for a kind of email, starting with the next one. Refuses `template-wrong` with the errors by
 * field, and `changed-meanwhile` if the stored version is no longer the form's version.
 */
export async function saveEmailTemplate(
  { db, clock, readTemplate = readFromContent }: Deps,
  by: Actor,
  kind: MessageKind,
  { version, subject, body }: EmailDraft,
): Promise<Outcome<null, SaveRefusal | Wrong>> {
  const template = { subject, body }
  const errors = checkTemplate(kind, templateOf(kind, await readTemplate(kind)), template)
  if (Object.keys(errors).length > 0) return refused('template-wrong', errors)
  return store({ db, clock }, by, { kind, version, template, act: 'email-template.saved' })
}

/** Restores the release's template. Refuses as `saveEmailTemplate` does. */
export function resetEmailTemplate(
  deps: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  kind: MessageKind,
  { version }: { version: number },
): Promise<Outcome<null, SaveRefusal>> {
  return store(deps, by, { kind, version, template: null, act: 'email-template.reset' })
}

function store(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  change: {
    kind: MessageKind
    version: number
    template: EmailTemplate | null
    act: 'email-template.saved' | 'email-template.reset'
  },
): Promise<Outcome<null, SaveRefusal>> {
  const { kind, template, act } = change
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'email-templates.manage', at)
    if (!permitted.ok) return permitted
    const before = await selectTemplate(tx, kind)
    if (!(await upsertTemplate(tx, change, { template, by: by.name, at }))) return refused('changed-meanwhile')
    await recordAct(tx, {
      by,
      act,
      subject: kind,
      before: before?.template ?? undefined,
      after: template ?? undefined,
      at,
    })
    return ok(null)
  })
}

/** The values of a real email for trying a template; null for samples. */
export type Trial = { values: MessageValues | null; picturedItem: number | null }

/**
 * Renders a template that may not be saved yet. Codes and the keys of links are left out of the values of a real email.
 * Refuses `template-wrong` as `saveEmailTemplate` does.
 */
export async function previewTemplate(
  { config, readTemplate = readFromContent }: { config: Pick<Config, 'web' | 'store'>; readTemplate?: ReadTemplate },
  kind: MessageKind,
  { template, trial }: { template: EmailTemplate; trial: Trial },
): Promise<Outcome<RenderedMail, Wrong>> {
  const errors = checkTemplate(kind, templateOf(kind, await readTemplate(kind)), template)
  if (Object.keys(errors).length > 0) return refused('template-wrong', errors)
  if (trial.values === null) return ok(await previewMessage(config, kind, { ...trial, readTemplate, edited: template }))
  const values = { ...storeValues(config), ...withoutSecrets(trial.values) }
  return ok(await renderMessage(kind, values, { edited: template }))
}

/**
 * Queues a rendered template to the requesting team member, marked as a test. Refuses `too-many` with the retry time. A
 * pending test is replaced.
 */
export async function queueTestEmail(
  { db, clock, rateLimits }: Pick<Deps, 'db' | 'clock'> & { rateLimits: RateLimits },
  by: Actor,
  { kind, to, mail }: { kind: MessageKind; to: string; mail: RenderedMail },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'too-many', { retryAfterSeconds: number }>>> {
  const taken = await rateLimits.take('test-email', { email: to })
  if (!taken.ok) return taken
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'email-templates.manage', at)
    if (!permitted.ok) return permitted
    const payload: JobPayload<'send-test-email'> = { id: newId(), to, ...mail, subject: `[Test] ${mail.subject}` }
    await enqueue(tx, 'send-test-email', payload, { key: `test-email:${to}`, maxAttempts: 5 })
    await recordAct(tx, { by, act: 'email-template.tested', subject: kind, at })
    return ok(null)
  })
}

/** Sends a queued test. Throws when the mail server is down, so that the job is retried. */
export async function sendTemplateTest(
  { mailer }: { mailer: Mailer },
  { id, ...mail }: JobPayload<'send-test-email'>,
): Promise<void> {
  const sent = await mailer.send({ key: id, ...mail, attachments: [], fromName: null, replyTo: null, stopUrl: null })
  if (!sent.ok && sent.reason === 'unavailable') throw new Error('The mail server is away.', { cause: sent.cause })
}
