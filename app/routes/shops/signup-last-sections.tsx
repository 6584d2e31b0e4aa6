/** The hours, image, and agreement sections at the end of /installer-signup. */
import type { FormReply } from '#app/forms/form.ts'
import { Icon } from '#app/ui/icon.tsx'
import { WeekFields } from '#app/ui/week-fields.tsx'
import { paths } from '#content/paths.ts'
import { installerAgreement } from '#domain/scheduling/installers/installers.ts'
import { agreementVersion } from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import { Section } from './signup-section.tsx'

type Given = { reply: FormReply }

export function HoursSection({ reply, isRefused }: Given & { isRefused: boolean }) {
  const error = reply.errors['hours']
  return (
    <Section
      id="hours"
      reply={reply}
      isRefused={isRefused}
      note="On your shop’s clock. Leave both empty on days you are closed"
    >
      {error ? (
        <p className="field-error" id="hours-error">
          {error}
        </p>
      ) : null}
      <WeekFields reply={reply} />
      <p>
        <button className="btn" name="intent" value="copy">
          Copy Monday to Tue–Fri
        </button>
      </p>
    </Section>
  )
}

export function PictureSection({ reply, isRefused, picture }: Given & { isRefused: boolean; picture: string | null }) {
  const error = reply.errors['picture']
  return (
    <Section
      id="photo"
      reply={reply}
      isRefused={isRefused && error !== undefined}
      note={`JPEG or PNG, up to ${UPLOAD_MAX_BYTES / 1024 / 1024} MB`}
    >
      {picture ? (
        <p className="signup-picture">
          <Icon name="check-circle" size="s" />
          <span>
            <b>{picture}</b> is with your application.
          </span>
        </p>
      ) : null}
      <div className="field-row">
        <label className="field" htmlFor="picture">
          {picture ? 'Choose another picture' : 'Photo of your shop from the street'}
          <span className="muted"> (optional)</span>
        </label>
        <input
          className="input signup-file"
          type="file"
          id="picture"
          name="picture"
          accept="image/*"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'picture-error' : undefined}
        />
        {error ? (
          <p className="field-error" id="picture-error">
            {error}
            {picture ? ` Not added. ${picture} stays.` : ''}
          </p>
        ) : null}
      </div>
    </Section>
  )
}

export function AgreementSection({ reply, isRefused }: Given & { isRefused: boolean }) {
  const { rimMinIn, rimMaxIn, aspectMin, takenInWithinMinutes } = installerAgreement
  const error = reply.errors['agree']
  return (
    <Section id="agreement" reply={reply} isRefused={isRefused} note={`Version ${agreementVersion}`}>
      <ul className="signup-promises">
        <li>
          <b>
            Rims {rimMinIn} to {rimMaxIn} inch
          </b>
          <span>
            You install any passenger or light truck tire in this range. You are not offered jobs outside of it.
          </span>
        </li>
        <li>
          <b>Aspect ratio {aspectMin} and above</b>
          <span>A 275/35R20 is yours, a 275/30R20 is not.</span>
        </li>
        <li>
          <b>Car taken in within {countOf(takenInWithinMinutes, 'minute')}</b>
          <span>Of the booked time. Shoppers see your on-time rate.</span>
        </li>
      </ul>
      <label className="signup-check">
        <input
          type="checkbox"
          id="agree"
          name="agree"
          value="1"
          aria-required
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'agree-error' : undefined}
        />
        <span>
          I accept the <a href={paths.written('installer-agreement')}>installer agreement</a> for my shop
          <small>Kept with your name, the date and version {agreementVersion}.</small>
        </span>
      </label>
      {error ? (
        <p className="field-error" id="agree-error">
          {error}
        </p>
      ) : null}
    </Section>
  )
}
