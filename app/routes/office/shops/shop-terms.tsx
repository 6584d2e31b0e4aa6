/** Shared parts of the pages with shop hours, shop prices, and service areas. */
import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { ListTabs, type ListTab } from '#app/ui/office/list-parts.tsx'
import { OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { portalPaths } from '#content/portal-paths.ts'

/** A page with terms of a shop, or with the reason that they are fixed. */
export function TermsPage({
  title,
  data: { shop, tabs, fixed, news },
  reply,
  children,
}: {
  title: string
  data: {
    shop: { name: string; code: string }
    tabs: readonly ListTab[]
    fixed: ReturnType<typeof termsAreFixed>
    news: string | null
  }
  reply: FormReply | undefined
  children: ReactNode
}) {
  return (
    <OfficePage title={title} crumbs={shopCrumbs(shop)} news={news} reply={reply}>
      <ListTabs label="About the shop" tabs={tabs} />
      {fixed ? <OnboardingNotice fixed={fixed} /> : children}
    </OfficePage>
  )
}

/** The links above the page. */
function shopCrumbs({ name, code }: { name: string; code: string }) {
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

function OnboardingNotice({ fixed: { text, path } }: { fixed: { text: string; path: string | null } }) {
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
