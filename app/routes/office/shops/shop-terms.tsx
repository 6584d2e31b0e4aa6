/** Shared parts of the pages with shop hours and shop prices. */
import { Notice } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { portalPaths } from '#content/portal-paths.ts'

/** The links above the page. */
export function shopCrumbs({ name, code }: { name: string; code: string }) {
  return [
    { label: 'All shops', path: officePaths.officeShops() },
    { label: name, path: officePaths.officeShop(code) },
  ]
}

/** Returns why hours and prices can't be changed now, with the page that can; null if they can. */
export function termsAreFixed({ code, isInSetUp, status }: { code: string; isInSetUp: boolean; status: string }) {
  if (isInSetUp)
    return { text: 'The shop isn’t open yet. Its owner enters this during onboarding.', path: portalPaths.setUp(code) }
  return status === 'closed' ? { text: 'The shop is closed.', path: null } : null
}

export function OnboardingNotice({ fixed: { text, path } }: { fixed: { text: string; path: string | null } }) {
  return (
    <Notice tone="signal" title={text}>
      {path ? (
        <p>
          <a href={path}>Open onboarding</a>
        </p>
      ) : null}
    </Notice>
  )
}
