import { portalPaths } from '#content/portal-paths.ts'
import { installerAgreement } from '#domain/scheduling/installers/installers.ts'
import { payPerTireText } from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { INSTALLER_PAID_WITHIN_HOURS } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'

/** What happens after an application is sent, and where it is now. */
export function ApplicationSteps({
  isApproved,
  decidedBy,
  leadName,
}: {
  isApproved: boolean
  decidedBy: string
  leadName: string
}) {
  const { rimMinIn, rimMaxIn, aspectMin } = installerAgreement
  return (
    <section className="panel signup-section" aria-labelledby="next">
      <h2 id="next">What happens now</h2>
      <ol className="signup-steps">
        {isApproved ? null : (
          <>
            <li>
              <span>Now</span>
              <div>
                <h3>We check</h3>
                <p>
                  License, insurance, address, and that rims {rimMinIn} to {rimMaxIn} inch and aspect ratio {aspectMin}{' '}
                  and above fit your machines. If something is unclear, we ask by email or call {leadName} at the shop.
                </p>
              </div>
            </li>
            <li>
              <span>By {decidedBy}</span>
              <div>
                <h3>You hear yes, no, or a question</h3>
                <p>By email. If it is no, we say why and what would change it.</p>
              </div>
            </li>
          </>
        )}
        <li>
          <span>{isApproved ? 'Now, 1 hour' : 'Then, 1 hour'}</span>
          <div>
            <h3>You set up</h3>
            <ul>
              <li>{isApproved ? <a href={portalPaths.portal()}>Sign in to the portal</a> : 'Sign in to the portal'}</li>
              <li>Hours, bays, prices, days off</li>
              <li>How long your jobs take</li>
              <li>Bank details, at our payment provider and never with us</li>
            </ul>
          </div>
        </li>
        <li>
          <span>You choose</span>
          <div>
            <h3>Shoppers can book you</h3>
            <p>Only after you press Open. Start with one bay, if you like.</p>
          </div>
        </li>
        <li>
          <span>First job</span>
          <div>
            <h3>Code in, money out</h3>
            <p>
              The customer shows a claim code. Within {countOf(INSTALLER_PAID_WITHIN_HOURS, 'hour')} of finishing,{' '}
              {payPerTireText} a tire is on its way.
            </p>
          </div>
        </li>
      </ol>
    </section>
  )
}
