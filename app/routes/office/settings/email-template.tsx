import { emailTemplateActions } from '#app/office/actions/email-templates.server.ts'
import { actionStep, decideActions, doneNews, showing } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { MailParts } from '#app/ui/office/mail-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { kindLabel, ordersToTry, readReleasedTemplate, readTrial } from '#app/views/office/email-template.server.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  findEmailTemplate,
  previewTemplate,
  queueTestEmail,
  sampleText,
} from '#domain/messaging/messages/messages.server.ts'
import {
  emailTemplateForm,
  isMessageKind,
  type EmailDraft,
  type MessageKind,
} from '#domain/messaging/messages/messages.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import type { Route } from './+types/email-template.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.label ?? 'Email template', officePaths.officeEmailTemplates())

function kindOf(text: string): MessageKind {
  if (!isMessageKind(text)) throw new Response(null, { status: 404 })
  return text
}

/** In characters, with both of each end of a line. */
const longestSent = 20_000

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const kind = kindOf(params.kind)
  const { app, session } = await requireStaff(context, 'requests.read', officePaths.officeEmailTemplate(kind))
  const order = (url.searchParams.get('order') ?? '').slice(0, 60)
  const maySeeOrders = staffCan(session.roles, 'orders.read')
  const { template, isEdited, version, variables } = await findEmailTemplate(
    { db: app.db, readTemplate: readReleasedTemplate },
    kind,
  )
  const tried = await readTrial(app, kind, maySeeOrders ? order : '')
  const samples = tried.ok ? tried : await readTrial(app, kind, '')
  const preview = samples.ok ? await render(app, kind, template, samples.value) : null
  return {
    kind,
    label: kindLabel(kind),
    template,
    isEdited,
    version,
    order,
    orders: maySeeOrders ? await ordersToTry(app, kind) : [],
    problem: tried.ok ? null : 'That order has no email of this kind. The preview shows sample values.',
    variables: variables.map(({ name, isRequired, isBlock }) => ({
      name,
      isRequired,
      sample: sampleText(name, app.config) ?? (isBlock ? 'A table or list' : 'A link'),
    })),
    preview: preview?.ok ? preview.value : null,
    origin: app.config.web.origin,
    mayEdit: staffCan(session.roles, 'email-templates.manage'),
    news: doneNews(url, {
      saved: 'Saved. The next email uses this template.',
      reset: 'Reset. The next email uses the released template.',
      tested: `Test email sent to ${session.email}.`,
    }),
  }
}

type Trial = Parameters<typeof previewTemplate>[2]['trial']

function render(app: Application, kind: MessageKind, template: { subject: string; body: string }, trial: Trial) {
  return previewTemplate({ config: app.config, readTemplate: readReleasedTemplate }, kind, { template, trial })
}

export const action = (args: Route.ActionArgs) => {
  const kind = kindOf(args.params.kind)
  return decideActions(
    args,
    {
      id: kind,
      path: (done) => officePaths.officeEmailTemplate(kind, { done }),
      longest: longestSent,
      done: { reset: 'reset' },
      more: {
        steps: ({ app, by, staff, fields }) => {
          const tried = async (draft: EmailDraft) => {
            const order = staffCan(staff.session.roles, 'orders.read') ? (fields.get('order') ?? '') : ''
            const trial = await readTrial(app, kind, order)
            return trial.ok ? render(app, kind, draft, trial.value) : trial
          }
          return {
            save: actionStep(emailTemplateActions.actions.change, { app, by, id: kind }, 'saved'),
            preview: showing(emailTemplateForm, tried, (mail) => ({ mail })),
            test: showing(
              emailTemplateForm,
              async (draft) => {
                const mail = await tried(draft)
                if (!mail.ok) return mail
                const sent = await queueTestEmail(app, by, { kind, to: staff.session.email, mail: mail.value })
                return sent.ok ? mail : sent
              },
              (mail) => ({ mail, shown: `Test email sent to ${staff.session.email}.` }),
            ),
          }
        },
        refusals: {
          ...emailTemplateActions.refusals,
          'order-without-email': { field: 'order', text: 'That order has no email of this kind.' },
          'too-many': ({ retryAfterSeconds }) => ({
            text: `Too many test emails. Try again in ${countOf(Math.ceil(retryAfterSeconds / 60), 'minute')}.`,
            status: 429,
          }),
        },
      },
    },
    emailTemplateActions,
  )
}

export default function EmailTemplatePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { label, order, problem, variables, mayEdit, origin } = loaderData
  const preview = reply?.mail ?? loaderData.preview
  return (
    <OfficePage
      title={label}
      crumbs={[{ label: 'Email templates', path: officePaths.officeEmailTemplates() }]}
      news={reply?.shown ?? loaderData.news}
      reply={reply}
    >
      <Columns
        body={
          <>
            {mayEdit ? <TemplateForm data={loaderData} reply={reply} /> : null}
            {problem ? <Notice tone="signal" title={problem} /> : null}
            {preview ? (
              <>
                <Panel id="preview" title="Preview" note={order || reply?.values['order'] || 'Sample values'}>
                  <PanelBody>
                    <p>
                      Subject: <strong>{preview.subject}</strong>
                    </p>
                  </PanelBody>
                </Panel>
                <MailParts origin={origin} html={preview.html} text={preview.text} />
              </>
            ) : null}
          </>
        }
        last={
          <TablePanel
            id="variables"
            title="Variables"
            caption="Variables of this email"
            empty="No variables."
            columns={{ variable: 'Variable', sample: 'Sample' }}
            rows={variables.map(({ name, sample, isRequired }) => ({
              id: name,
              cells: {
                variable: (
                  <>
                    {`{{${name}}}`}
                    {isRequired ? <small>Required</small> : null}
                  </>
                ),
                sample,
              },
            }))}
          />
        }
      />
    </OfficePage>
  )
}

/** The form that changes a template, previews it and sends a test. */
function TemplateForm({
  data: { template, isEdited, version, order, orders },
  reply,
}: {
  data: Route.ComponentProps['loaderData']
  reply: Route.ComponentProps['actionData']
}) {
  return (
    <FormPanel
      id="template"
      title="Template"
      lead={isEdited ? 'Edited' : 'As released'}
      reply={reply}
      hidden={{ version }}
      fields={{
        subject: { label: 'Subject', value: template.subject, max: 150 },
        body: {
          label: 'Text',
          kind: 'area',
          value: template.body,
          max: 10_000,
          rows: 18,
          hint: 'Markdown: # heading, **bold**, [link]({{trackUrl}}). HTML tags are shown as text.',
        },
        order: {
          label: 'Preview with order',
          value: order,
          max: 60,
          isOptional: true,
          hint:
            orders.length > 0 ? `Such as ${orders.join(', ')}. Empty for sample values.` : 'Empty for sample values.',
        },
      }}
      buttons={[
        button('save', 'Save', 'primary'),
        button('preview', 'Preview'),
        button('test', 'Send a test to me'),
        ...(isEdited
          ? [
              button('reset', 'Reset to default', 'stop', {
                ask: {
                  title: 'Reset this email?',
                  text: 'Your subject and text are replaced with the released ones.',
                  answer: 'Reset to default',
                  isStop: true,
                },
              }),
            ]
          : []),
      ]}
    />
  )
}
