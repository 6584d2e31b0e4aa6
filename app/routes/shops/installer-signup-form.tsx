/** The form of /installer-signup, in sections that each say whether they are complete. */
import type { ComponentProps } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { Honeypot } from '#app/ui/honeypot.tsx'
import { Icon } from '#app/ui/icon.tsx'
import keepForm from '#app/ui/keep-form.js?url'
import { StateField } from '#app/ui/state-field.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import {
  otherServices,
  payPerTireText,
  tireServices,
} from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { INSTALLER_PAID_WITHIN_HOURS } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import { AgreementSection, HoursSection, PictureSection } from './signup-last-sections.tsx'
import { faultsIn, Section, signupLabels, signupSections, type SectionId } from './signup-section.tsx'

type Given = { reply: FormReply }

/** Renders the section index, the form, and the saved notice. */
export function SignupForm({
  reply,
  isRefused,
  picture,
  news,
}: Given & { isRefused: boolean; picture: string | null; news: string | null }) {
  return (
    <>
      <SectionIndex reply={reply} isRefused={isRefused} news={news} />
      <form
        method="post"
        action={`${portalPaths.installerSignup()}#form`}
        encType="multipart/form-data"
        className="signup-form"
        id="form"
        noValidate
        data-keep-form="save"
      >
        {/* The first button of a form is the one that Enter presses. */}
        <button className="visually-hidden" name="intent" value="send" tabIndex={-1} aria-hidden="true">
          Send application
        </button>
        <ErrorSummary reply={isRefused ? reply : undefined} labels={signupLabels} />
        <ShopSection reply={reply} isRefused={isRefused} />
        <PeopleSection reply={reply} isRefused={isRefused} />
        <ServicesSection reply={reply} />
        <HoursSection reply={reply} isRefused={isRefused} />
        <PictureSection reply={reply} isRefused={isRefused} picture={picture} />
        <AgreementSection reply={reply} isRefused={isRefused} />
        <Honeypot />
        <div className="signup-send">
          <button className="btn primary wide large" name="intent" value="send">
            Send application
          </button>
          <button className="btn wide" name="intent" value="save">
            Save and finish later
          </button>
          <p className="small muted">
            Until we approve you, shoppers can’t see your shop and we don’t request bank details. Those go to the payout
            provider, never here.
          </p>
        </div>
      </form>
      <script type="module" src={keepForm} />
    </>
  )
}

function SectionIndex({ reply, isRefused, news }: Given & { isRefused: boolean; news: string | null }) {
  return (
    <div className="signup-index">
      <nav aria-label="Sections">
        <ol>
          {(Object.keys(signupSections) as SectionId[]).map((id) => {
            const faults = isRefused ? faultsIn(id, reply) : 0
            return (
              <li key={id} className={faults > 0 ? 'is-wrong' : undefined}>
                <a href={`#${id}`}>
                  <Icon name={faults > 0 ? 'warning' : isRefused ? 'check' : 'right'} size="s" />
                  {signupSections[id].title}
                  {faults > 0 ? <small>{faults} to fix</small> : null}
                </a>
              </li>
            )
          })}
        </ol>
      </nav>
      <p className="signup-saved" role={news ? 'status' : undefined}>
        <Icon name="check-circle" size="s" />
        <span>{news ?? 'You can finish later. We save your entries on this device for a month.'}</span>
      </p>
    </div>
  )
}

function ShopSection({ reply, isRefused }: Given & { isRefused: boolean }) {
  return (
    <Section id="shop" reply={reply} isRefused={isRefused}>
      <div className="signup-fields">
        <Field name="company" label="Company" reply={reply} autoComplete="organization" maxLength={80} required />
        <Field
          name="street"
          label="Street address"
          reply={reply}
          autoComplete="address-line1"
          maxLength={100}
          required
        />
        <Field
          name="city"
          label="City"
          reply={reply}
          autoComplete="address-level2"
          maxLength={60}
          required
          className="city"
        />
        <div className="third">
          <StateField reply={reply} autoComplete="address-level1" />
        </div>
        <Field
          name="zip"
          label="ZIP"
          reply={reply}
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={10}
          required
          className="third"
        />
        <Phone name="shopPhone" label="Shop phone" reply={reply} autoComplete="tel" />
        <Field
          name="shopWebsite"
          label="Website"
          reply={reply}
          inputMode="url"
          autoComplete="url"
          maxLength={200}
          required={false}
          className="half"
        />
      </div>
    </Section>
  )
}

function Phone(field: Omit<ComponentProps<typeof Field>, 'type' | 'maxLength'>) {
  return <Field {...field} type="tel" maxLength={40} required className="half" />
}

function PeopleSection({ reply, isRefused }: Given & { isRefused: boolean }) {
  return (
    <Section id="people" reply={reply} isRefused={isRefused}>
      <Person who="owner" title="Owner, signs the agreement" reply={reply} />
      <Person who="lead" title="Daily bay manager" reply={reply} />
    </Section>
  )
}

/** The owner’s own details may be filled in by the browser. */
function Person({ who, title, reply }: Given & { who: 'owner' | 'lead'; title: string }) {
  const own = who === 'owner'
  return (
    <fieldset className="signup-fields">
      <legend>{title}</legend>
      <Field
        name={`${who}FirstName`}
        label="First name"
        reply={reply}
        autoComplete={own ? 'given-name' : 'off'}
        maxLength={25}
        required
        className="half"
      />
      <Field
        name={`${who}LastName`}
        label="Last name"
        reply={reply}
        autoComplete={own ? 'family-name' : 'off'}
        maxLength={25}
        required
        className="half"
      />
      <Field
        name={`${who}Email`}
        label="Email"
        reply={reply}
        type="email"
        autoComplete={own ? 'email' : 'off'}
        maxLength={254}
        required
        className="half"
      />
      <Phone name={`${who}Phone`} label="Mobile phone" reply={reply} autoComplete={own ? 'tel' : 'off'} />
    </fieldset>
  )
}

function ServicesSection({ reply }: Given) {
  return (
    <Section id="services" reply={reply}>
      <fieldset className="signup-checks">
        <legend>Tire services</legend>
        <p className="signup-check is-fixed">
          <Icon name="check" size="s" />
          <span>
            Mount and balance <small>Part of every job</small>
          </span>
        </p>
        <Checks prefix="tire" services={tireServices} reply={reply} />
      </fieldset>
      <fieldset className="signup-checks">
        <legend>
          Other services <span className="muted">shown on your page, sold by you</span>
        </legend>
        <Checks prefix="other" services={otherServices} reply={reply} />
      </fieldset>
    </Section>
  )
}

function Checks({
  prefix,
  services,
  reply,
}: Given & { prefix: 'tire' | 'other'; services: Readonly<Record<string, string>> }) {
  return Object.entries(services).map(([key, words]) => (
    <label key={key} className="signup-check">
      <input
        type="checkbox"
        name={`${prefix}-${key}`}
        value="1"
        defaultChecked={reply.values[`${prefix}-${key}`] === '1'}
      />
      <span>{words}</span>
    </label>
  ))
}

/** Renders the benefits and the requirements for shops. */
export function SignupAside() {
  return (
    <aside className="signup-aside" aria-label="Good to know">
      <section className="panel">
        <h2>What you get</h2>
        <ul>
          <li>
            <Icon name="clock" />
            <span>
              <b>{payPerTireText} a tire.</b> By rim and job, sent within {countOf(INSTALLER_PAID_WITHIN_HOURS, 'hour')}{' '}
              of the claim code.
            </span>
          </li>
          <li>
            <Icon name="parcel" />
            <span>
              <b>Tires before the car.</b> Pieces counted, short ones are ours to solve.
            </span>
          </li>
          <li>
            <Icon name="calendar" />
            <span>
              <b>Your calendar.</b> Your hours, blocked time, and other jobs in one schedule.
            </span>
          </li>
        </ul>
      </section>
      <section className="panel">
        <h2>What we ask</h2>
        <ul>
          {[
            'Liability insurance, checked once a year.',
            'Every wheel torqued by hand, the figure recorded.',
            'The DOT code of every tire.',
          ].map((words) => (
            <li key={words}>
              <Icon name="check" />
              {words}
            </li>
          ))}
        </ul>
      </section>
    </aside>
  )
}
