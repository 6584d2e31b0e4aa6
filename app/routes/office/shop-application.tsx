import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag, type Tone } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { shopRoleNames } from '#domain/installers/installers.ts'
import { listShopMembers } from '#domain/installers/installers.server.ts'
import {
  approveShop,
  askApplicant,
  findShopApplication,
  refuseShop,
  type ShopApplication,
  type ShopApplicationEvent,
} from '#domain/shop-applications/shop-applications.server.ts'
import {
  hoursLines,
  longestWords,
  otherServices,
  parseShopApplicationNumber,
  questionForm,
  refusalForm,
  shopApplicationLife,
  shopApplicationNumber,
  shopApplicationStateWords,
  tireServices,
  type ShopApplicationState,
} from '#domain/shop-applications/shop-applications.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/shop-application.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(
    matches,
    loaderData ? `Shop application ${loaderData.number}` : 'Shop application',
    officePaths.officeShopApplications(),
  )

const tones: Readonly<Record<ShopApplicationState, Tone>> = {
  submitted: 'signal',
  asked: 'plain',
  approved: 'go',
  refused: 'plain',
  withdrawn: 'plain',
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeShopApplication(params.number)
  const { shop, session } = await requireStaff(context, 'shop-applications.read', path)
  const found = await findShopApplication(shop, idOf(params.number))
  if (!found) throw new Response(null, { status: 404 })
  const members = found.shopId === null ? [] : await listShopMembers(shop, found.shopId)
  return {
    acts: staffCan(session.roles, 'shop-applications.decide') ? shopApplicationLife[found.state] : [],
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    number: shopApplicationNumber(found.id),
    state: found.state,
    picture: found.pictureName,
    website: found.asked.shopWebsite,
    facts: factsOf(found),
    hours: hoursLines(found.asked.hours),
    story: found.story.map(eventRow),
    members: members.map(({ name, email, role }): [string, string] => [shopRoleNames[role], `${name}, ${email}`]),
  }
}

function idOf(number: string): number {
  const id = parseShopApplicationNumber(number)
  if (id === undefined) throw new Response(null, { status: 404 })
  return id
}

function factsOf({ asked, submittedAt, agreementVersion }: ShopApplication): [string, string][] {
  const person = (name: string, email: string, phone: string) => `${name}, ${email}, ${phoneText(phone)}`
  const services = [
    ...asked.tireServices.map((key) => tireServices[key]),
    ...asked.otherServices.map((key) => otherServices[key]),
  ]
  return [
    ['Sent', timeText(submittedAt, storeZone)],
    ['Shop', asked.company],
    ['Address', `${asked.street}, ${asked.city}, ${asked.state} ${asked.zip}`],
    ['Phone', phoneText(asked.shopPhone)],
    ['Owner', person(`${asked.ownerFirstName} ${asked.ownerLastName}`, asked.ownerEmail, asked.ownerPhone)],
    ['Runs the bays', person(`${asked.leadFirstName} ${asked.leadLastName}`, asked.leadEmail, asked.leadPhone)],
    ['Services', services.length === 0 ? 'Mount and balance alone' : services.join(', ')],
    ['Agreement', `Version ${agreementVersion}, accepted when it was sent`],
  ]
}

const eventWords: Readonly<Record<ShopApplicationState, string>> = {
  submitted: 'Answered',
  asked: 'Asked',
  approved: 'Approved',
  refused: 'Refused',
  withdrawn: 'Withdrawn',
}

function eventRow({ at, from, to, actor, note }: ShopApplicationEvent): [string, string] {
  const what = from === null ? 'Sent' : eventWords[to]
  return [timeText(at, storeZone), `${what} by ${actor}${note ? `: ${note}` : ''}`]
}

/** `approve`, `ask` with a question, or `refuse` with a reason; both are emailed word for word. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const path = officePaths.officeShopApplication(params.number)
  const { shop, actor: by } = await requireStaff(context, 'shop-applications.decide', path)
  const id = idOf(params.number)
  const fields = await readForm(request)
  const settle = (decided: Awaited<ReturnType<typeof approveShop>>, done: string) =>
    decided.ok
      ? seeOther(officePaths.officeShopApplication(shopApplicationNumber(id), done))
      : refuseForm(formRefusal(fields, refusals[decided.reason]), decided.reason === 'not-allowed' ? 403 : 409)
  switch (fields.get('intent')) {
    case 'approve':
      return settle(await approveShop(shop, { id, by }), 'approved')
    case 'ask': {
      const checked = checkForm(questionForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      return settle(await askApplicant(shop, { id, question: checked.value.question, by }), 'asked')
    }
    case 'refuse': {
      const checked = checkForm(refusalForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      return settle(await refuseShop(shop, { id, reason: checked.value.reason, by }), 'refused')
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const refusals = {
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  'not-open': 'This application was decided or withdrawn in the meantime, or a question is open. Nothing was changed.',
} as const

const news: Readonly<Record<string, string>> = {
  approved: 'Approved. The shop is in set-up, and its owner was emailed.',
  asked: 'Asked. The owner was emailed your question.',
  refused: 'Refused. The owner was emailed your reason.',
}

export default function ShopApplicationPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { acts, news: done, number, state, picture, website, facts, hours, story, members } = loaderData
  return (
    <OfficePage
      title={number}
      crumbs={[{ label: 'Shop applications', path: officePaths.officeShopApplications() }]}
      tags={<Tag tone={tones[state]}>{shopApplicationStateWords[state]}</Tag>}
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <Columns
        body={
          <>
            <Panel id="application" title="Application">
              <PanelBody>
                <KeyValues rows={facts} />
              </PanelBody>
              <PanelBody>
                {website ? (
                  <p>
                    <a href={website} rel="noreferrer noopener nofollow" target="_blank">
                      Open their website
                    </a>{' '}
                    <span className="office-note">The shop typed this address.</span>
                  </p>
                ) : null}
                <p>
                  {picture ? (
                    <a href={officePaths.officeShopPicture(number)}>Download {picture}</a>
                  ) : (
                    'No picture attached.'
                  )}
                </p>
              </PanelBody>
            </Panel>
            <Panel id="hours" title="Hours">
              <PanelBody>
                <ul>
                  {hours.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </PanelBody>
            </Panel>
            <Panel id="story" title="What happened">
              <PanelBody>
                <KeyValues rows={story} />
              </PanelBody>
            </Panel>
            {members.length > 0 ? (
              <Panel id="members" title="Who signs in for the shop">
                <PanelBody>
                  <KeyValues rows={members} />
                </PanelBody>
              </Panel>
            ) : null}
          </>
        }
        first={acts.length > 0 ? <Decide reply={reply} canAsk={acts.includes('asked')} /> : undefined}
      />
    </OfficePage>
  )
}

function Decide({ reply, canAsk }: { reply: FormReply | undefined; canAsk: boolean }) {
  const of = (intent: string) => (reply?.values['intent'] === intent ? reply : undefined)
  return (
    <>
      <Panel id="approve" title="Approve" isOpen>
        <PanelBody>
          <ErrorSummary reply={of('approve')} />
          <p>The shop is made, in set-up. Shoppers see it once its owner has completed it.</p>
          <form method="post">
            <button className="btn primary" name="intent" value="approve">
              Approve
            </button>
          </form>
        </PanelBody>
      </Panel>
      {canAsk ? (
        <WordsForm
          reply={of('ask')}
          title="Ask"
          intent="ask"
          name="question"
          label="Question, emailed word for word"
          button={<button className="btn">Send question</button>}
        />
      ) : null}
      <WordsForm
        reply={of('refuse')}
        title="Refuse"
        intent="refuse"
        name="reason"
        label="Reason, emailed word for word"
        button={<button className="btn stop">Refuse</button>}
      />
    </>
  )
}

function WordsForm({
  reply,
  title,
  intent,
  name,
  label,
  button,
}: {
  reply: FormReply | undefined
  title: string
  intent: string
  name: string
  label: string
  button: React.ReactNode
}) {
  return (
    <Panel id={intent} title={title}>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <input type="hidden" name="intent" value={intent} />
          <ErrorSummary reply={reply} labels={{ [name]: label.split(',')[0] ?? label }} />
          <TextAreaField name={name} label={label} reply={reply} rows={4} maxLength={longestWords} />
          <p>{button}</p>
        </form>
      </PanelBody>
    </Panel>
  )
}
