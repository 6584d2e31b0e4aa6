import type { FormReply } from '#app/forms/form.ts'
import { shopApplicationActions } from '#app/office/actions/shop-applications.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody, Tag, type Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { shopRoleNames } from '#domain/scheduling/installers/installers.ts'
import { listShopMembers } from '#domain/scheduling/installers/installers.server.ts'
import {
  findShopApplication,
  type ShopApplication,
  type ShopApplicationEvent,
} from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import {
  hoursLines,
  longestWords,
  otherServices,
  parseShopApplicationNumber,
  shopApplicationLife,
  shopApplicationNumber,
  shopApplicationStateWords,
  tireServices,
  type ShopApplicationState,
} from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
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
  const { app, session } = await requireStaff(context, 'shop-applications.read', path)
  const application = found(await findShopApplication(app, found(parseShopApplicationNumber(params.number))))
  const { id, state, shopId, asked, pictureName, story } = application
  const members = shopId === null ? [] : await listShopMembers(app, shopId)
  return {
    acts: staffCan(session.roles, 'shop-applications.decide') ? shopApplicationLife[state] : [],
    news: doneNews(url, news),
    number: shopApplicationNumber(id),
    state,
    picture: pictureName,
    website: asked.shopWebsite,
    facts: factsOf(application),
    hours: hoursLines(asked.hours),
    story: story.map(eventRow),
    members: members.map(({ name, email, role }): [string, string] => [shopRoleNames[role], `${name}, ${email}`]),
  }
}

function factsOf({ asked, submittedAt, agreementVersion }: ShopApplication): [string, string][] {
  const person = (name: string, email: string, phone: string) => `${name}, ${email}, ${phoneText(phone)}`
  const services = [
    ...asked.tireServices.map((key) => tireServices[key]),
    ...asked.otherServices.map((key) => otherServices[key]),
  ]
  return [
    ['Submitted', timeText(submittedAt, storeZone)],
    ['Shop', asked.company],
    ['Address', `${asked.street}, ${asked.city}, ${asked.state} ${asked.zip}`],
    ['Phone', phoneText(asked.shopPhone)],
    ['Owner', person(`${asked.ownerFirstName} ${asked.ownerLastName}`, asked.ownerEmail, asked.ownerPhone)],
    ['Shop lead', person(`${asked.leadFirstName} ${asked.leadLastName}`, asked.leadEmail, asked.leadPhone)],
    ['Services', services.length === 0 ? 'Mount and balance only' : services.join(', ')],
    ['Agreement', `Version ${agreementVersion}, accepted on submission`],
  ]
}

const eventWords: Readonly<Record<ShopApplicationState, string>> = {
  submitted: 'Answered',
  asked: 'Question sent',
  approved: 'Approved',
  refused: 'Refused',
  withdrawn: 'Withdrawn',
}

function eventRow({ at, from, to, actor, note }: ShopApplicationEvent): [string, string] {
  const what = from === null ? 'Submitted' : eventWords[to]
  return [timeText(at, storeZone), `${what} by ${actor}${note ? `: ${note}` : ''}`]
}

export const action = (args: Route.ActionArgs) => {
  const { number } = args.params
  return decideActions(
    args,
    {
      id: () => shopApplicationNumber(found(parseShopApplicationNumber(number))),
      path: (done) => officePaths.officeShopApplication(number, done),
      done: { approve: 'approved', ask: 'asked', refuse: 'refused' },
    },
    shopApplicationActions,
  )
}

const news = {
  approved: 'Approved. The shop is in onboarding, and we emailed its owner.',
  asked: 'Question sent. We emailed it to the owner.',
  refused: 'Refused. We emailed the owner your reason.',
}

export default function ShopApplicationPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { acts, number, state, picture, website, facts, hours, story, members } = loaderData
  return (
    <DetailPage
      title={number}
      crumbs={[{ label: 'Shop applications', path: officePaths.officeShopApplications() }]}
      tags={<Tag tone={tones[state]}>{shopApplicationStateWords[state]}</Tag>}
      news={loaderData.news}
      reply={reply}
      body={
        <>
          <FactsPanel id="application" title="Application" rows={facts}>
            {website ? (
              <p>
                <a href={website} rel="noreferrer noopener nofollow" target="_blank">
                  Open their website
                </a>{' '}
                <span className="office-note">The shop entered this address.</span>
              </p>
            ) : null}
            <p>
              {picture ? (
                <a href={officePaths.officeShopPicture(number)}>Download {picture}</a>
              ) : (
                'No picture attached.'
              )}
            </p>
          </FactsPanel>
          <Panel id="hours" title="Hours">
            <PanelBody>
              <ul>
                {hours.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </PanelBody>
          </Panel>
          <FactsPanel id="story" title="Timeline" rows={story} />
          <FactsPanel id="members" title="Team members" rows={members} />
        </>
      }
      forms={acts.length > 0 ? <Decide reply={reply} canAsk={acts.includes('asked')} /> : undefined}
    />
  )
}

function Decide({ reply, canAsk }: { reply: FormReply | undefined; canAsk: boolean }) {
  return (
    <>
      <FormPanel
        id="approve"
        title="Approve"
        isOpen
        reply={reply}
        text="Creates the shop, in onboarding. Customers see it once its owner completes onboarding."
        buttons={[button('approve', 'Approve', 'primary')]}
      />
      {canAsk ? (
        <FormPanel
          id="ask"
          title="Ask"
          reply={reply}
          fields={{ question: { label: 'Question, emailed word for word', kind: 'area', max: longestWords } }}
          buttons={[button('ask', 'Send question')]}
        />
      ) : null}
      <FormPanel
        id="refuse"
        title="Refuse"
        reply={reply}
        fields={{ reason: { label: 'Reason, emailed word for word', kind: 'area', max: longestWords } }}
        buttons={[button('refuse', 'Refuse', 'stop')]}
      />
    </>
  )
}
