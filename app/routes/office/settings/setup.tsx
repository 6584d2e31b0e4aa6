import { pageParts } from '#app/office/page-parts.ts'
import type { ReactNode } from 'react'
import { decide, doneNews, press } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ConfirmButton } from '#app/ui/office/confirm-button.tsx'
import { OfficeIcon } from '#app/ui/office/office-icon.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { doneText, leftText, SetupRoad, SetupSteps } from '#app/ui/office/setup-steps.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { readSamplesView, readSetup, type SamplesView, type SetupView } from '#app/views/office/setup.server.ts'
import { storeClosedText, storeClosedTitle } from '#content/messages/store-closed.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import {
  checkCarrier,
  checkEmailDomain,
  finishTestCharge,
  goLive,
  loadSamples,
  sendTestEmail,
  startTestCharge,
} from '#domain/operations/setup/setup.server.ts'
import { removeSampleTires } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { questionnaire } from '#domain/payments/payment-pages/payment-pages.ts'
import { setupGroups, type StepView } from '#domain/operations/setup/setup.ts'
import type { Route } from './+types/setup.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Store setup', officePaths.officeSetup())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'setup.read', officePaths.officeSetup())
  const isWaiting = url.searchParams.get('done')?.startsWith('samples-') ?? false
  const samples = await readSamplesView(app, session.roles, isWaiting)
  return { samples, setup: await readSetup(app, session.roles), news: doneNews(url, news) }
}

const news = {
  charged: 'The test charge worked.',
  emailed: 'Test email sent.',
  carrier: 'A test label was bought and voided.',
  domain: 'SPF, DKIM and DMARC are set up.',
  open: 'Your store is open.',
  'samples-loaded': 'Loading the sample tires.',
  'samples-removed': 'Removing the sample tires.',
}

export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'store setup',
      permission: pageParts['setup-checks'].permission,
      path: (done) => officePaths.officeSetup(done),
    },
    ({ app, by }) => ({
      'test-charge': press(
        () =>
          startTestCharge(app, by, {
            email: by.name,
            returnUrl: app.config.web.origin + officePaths.officeSetup(),
          }),
        ({ url }) => url,
      ),
      'finish-charge': press(
        () => finishTestCharge(app, by),
        ({ passed }) => (passed ? 'charged' : 'not-charged'),
      ),
      'test-email': press(
        () => sendTestEmail({ ...app, storeName: app.config.store.name }, by),
        ({ passed }) => (passed ? 'emailed' : 'not-emailed'),
      ),
      'check-domain': press(
        () => checkEmailDomain({ ...app, dns: app.hostProof }, by, app.config.mail.from),
        ({ passed }) => (passed ? 'domain' : 'not-set-up'),
      ),
      'check-carrier': press(
        () => checkCarrier(app, by),
        ({ passed }) => (passed ? 'carrier' : 'no-carrier'),
      ),
      'load-samples': press(() => loadSamples(app, by), 'samples-loaded'),
      'remove-samples': press(() => removeSampleTires(app, by), 'samples-removed'),
      open: press(
        () => goLive(app, by),
        async () => {
          // This process shows it immediately, the others within a second.
          await app.settings.read()
          return 'open'
        },
      ),
    }),
    {
      gone: 'No test charge is open. Run one.',
      'no-domain':
        'The sender of your emails has no domain. Send this to your host: “Set the store’s sender to an address at our domain.”',
      'no-answer': 'Your payment provider refused the test charge, or did not respond. See the step for details.',
      'no-warehouse': 'Add a warehouse with a street address first.',
      'has-tires': 'The catalog has tires already. Sample tires need an empty catalog.',
      'no-samples': 'No sample tires are loaded.',
      'open-already': 'The store is open already.',
      'not-ready': ({ missing }) => `These steps are not done yet: ${missing.join(', ')}.`,
      'not-sound': ({ words }) => words,
      'no-sample': ({ words }) => words,
    },
  )

export default function SetupPage({
  loaderData: { setup, samples, news: text },
  actionData: reply,
}: Route.ComponentProps) {
  const { progress, isOpen } = setup
  const isReady = progress.isReady && !isOpen
  return (
    <OfficePage
      title={isOpen ? 'Store setup' : isReady ? 'Ready to open' : 'Set up your store'}
      tags={isOpen ? <Tag tone="go">Live</Tag> : <Tag tone="signal">Not live</Tag>}
      end={
        <a className="btn quiet" href={paths.home()}>
          <OfficeIcon name="outside" />
          {isOpen ? 'View store' : 'Preview store'}
        </a>
      }
      news={text}
      reply={reply}
    >
      <section className={isReady ? 'office-panel is-open' : 'office-panel'} aria-label="Progress">
        <div className="setup-head">
          <p>
            <b>{doneText(progress)}</b>
            <span>{leftText(progress)}</span>
          </p>
          <SetupRoad progress={progress} />
        </div>
        {isReady ? <Opening setup={setup} /> : null}
      </section>
      <Columns
        body={Object.entries(setupGroups).map(([group, title]) => (
          <Group key={group} setup={setup} group={group} title={title} />
        ))}
        last={
          <>
            <Around setup={setup} />
            {samples ? <Samples samples={samples} /> : null}
          </>
        }
      />
    </OfficePage>
  )
}

/** A group of steps. */
function Group({ setup, group, title }: { setup: SetupView; group: string; title: string }) {
  const own = setup.steps.filter((step) => step.group === group)
  const first = firstOpen(setup)
  return (
    <Panel
      id={group}
      title={title}
      note={`${own.filter(({ state }) => state === 'done').length} of ${own.length} done`}
    >
      <SetupSteps
        steps={own}
        acts={
          new Map(
            own.map((step) => [
              step.name,
              <StepAct key={step.name} setup={setup} step={step} isFirst={step === first} />,
            ]),
          )
        }
      />
    </Panel>
  )
}

/** Renders the content next to the steps. */
function Around({ setup: { isOpen, storeName } }: { setup: SetupView }) {
  return (
    <>
      <Panel id="shoppers" title="Current storefront notice">
        <PanelBody>
          {isOpen ? (
            <p>Anyone can see {storeName} and order. Close it again in Store details.</p>
          ) : (
            <p>
              “{storeClosedTitle}. {storeClosedText}” Everyone can look around. People who are signed in here can order,
              for the test order.
            </p>
          )}
        </PanelBody>
      </Panel>
      <Panel id="card-data" title={`Card data: ${questionnaire.name} fits`}>
        <PanelBody>
          {questionnaire.why.map((why) => (
            <p key={why}>{why}</p>
          ))}
          <ul className="setup-links">
            <li>
              <a href={officePaths.officePaymentPages()}>Payment pages</a>
            </li>
            {questionnaire.sources.map(({ label, url }) => (
              <li key={url}>
                <a href={url} rel="noreferrer">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </PanelBody>
      </Panel>
      <Panel id="optional" title="Optional, any time">
        <PanelBody>
          <ul className="setup-links">
            <li>
              <a href={officePaths.officeSuppliers()}>Suppliers that ship for you</a>
            </li>
            <li>
              <a href={officePaths.officePayLater()}>Financing and leasing</a>
            </li>
            <li>
              <a href={officePaths.officeBusinessSettings()}>Returns and handling fee</a>
            </li>
            <li>
              <a href={officePaths.officeContent()}>Home page, FAQ and policies</a>
            </li>
            <li>
              <a href={officePaths.officePartners()}>Widget for partner sites</a>
            </li>
          </ul>
        </PanelBody>
      </Panel>
    </>
  )
}

/** The sample tires, and the button that loads or removes them. */
function Samples({ samples: { texts, importPath, act } }: { samples: SamplesView }) {
  return (
    <Panel id="samples" title="Sample data">
      <PanelBody>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {importPath ? (
          <p>
            <a href={importPath}>Open the import</a>
          </p>
        ) : null}
        {act === 'load' ? (
          <form method="post">
            <button className="btn quiet" name="intent" value="load-samples">
              Load sample tires
            </button>
          </form>
        ) : null}
        {act === 'remove' ? (
          <form method="post">
            <ConfirmButton
              name="intent"
              value="remove-samples"
              className="btn stop"
              ask={{
                title: 'Remove the sample tires?',
                text: 'Their stock is removed too. Tires that orders or carts use stay, and are no longer for sale.',
                answer: 'Remove sample tires',
                isStop: true,
              }}
            >
              Remove sample tires
            </ConfirmButton>
          </form>
        ) : null}
      </PanelBody>
    </Panel>
  )
}

/** Returns the first step this user can complete. It gets the page's primary button. */
function firstOpen({ steps, mayOpen }: SetupView): StepView | undefined {
  return steps.find(({ name, state, isOwners }) => {
    const isDoable = name !== 'live' && name !== 'shipping' && name !== 'reference'
    return isDoable && state !== 'done' && state !== 'blocked' && (mayOpen || !isOwners)
  })
}

/** What opening changes, and its button. */
function Opening({ setup: { storeName, mayOpen } }: { setup: SetupView }) {
  return (
    <PanelBody>
      <h2>Open {storeName}</h2>
      <ul className="setup-changes">
        {[
          'Anyone can order and pay',
          'The notice on every page is removed',
          'We check the database first, and place a sample order that leaves no trace',
        ].map((change) => (
          <li key={change}>
            <Icon name="check" size="s" />
            {change}
          </li>
        ))}
      </ul>
      {mayOpen ? (
        <div className="setup-open">
          <form method="post">
            <ConfirmButton
              name="intent"
              value="open"
              className="btn primary"
              ask={{ title: 'Open the store?', text: 'Shoppers can order within a second.', answer: 'Open the store' }}
            >
              Open the store
            </ConfirmButton>
          </form>
          <p className="office-note">You can close it again at any time in Store details.</p>
        </div>
      ) : (
        <p>An owner opens the store.</p>
      )}
    </PanelBody>
  )
}

/** The buttons of the steps that are done here. */
const checks: Readonly<Partial<Record<StepView['name'], { intent: string; label: string; again: string }>>> = {
  payments: { intent: 'test-charge', label: 'Run a test charge', again: 'Run again' },
  email: { intent: 'test-email', label: 'Send a test email', again: 'Send again' },
  carrier: { intent: 'check-carrier', label: 'Buy and void a test label', again: 'Check again' },
}

function StepAct({
  setup: { mayManage, mayOpen },
  step: { name, label, state, page, isOwners },
  isFirst,
}: {
  setup: SetupView
  step: StepView
  isFirst: boolean
}): ReactNode {
  if (state === 'blocked') return null
  const tone = isFirst ? 'btn primary' : 'btn quiet'
  const check = checks[name]
  if (check) {
    if (!(isOwners ? mayOpen : mayManage)) return <span className="office-note">An owner does this</span>
    const isWaiting = name === 'payments' && state === 'progress'
    return (
      <form method="post">
        {isWaiting ? (
          <button className={tone} name="intent" value="finish-charge">
            Finish the test charge
          </button>
        ) : null}
        <button
          className={isWaiting ? 'btn quiet' : tone}
          name="intent"
          value={check.intent}
          aria-label={state === 'done' ? `${check.again}: ${label}` : undefined}
        >
          {state === 'todo' ? check.label : check.again}
        </button>
        {name === 'email' ? (
          <button className="btn quiet" name="intent" value="check-domain">
            Check sender domain
          </button>
        ) : null}
      </form>
    )
  }
  return page ? (
    <a className={tone} href={page.path} aria-label={`${page.label}: ${label}`}>
      {page.label}
    </a>
  ) : null
}
