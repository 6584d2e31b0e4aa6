/** The demo's draft of a content page, which staff can preview and publish, and the pages that its owner published. */
import type { PoolClient } from 'pg'
import { legalPages } from '#domain/kernel/content/content.ts'
import { draftContent, rollBackContent } from '#domain/kernel/content/content.server.ts'
import { staffEmail } from './accounts.ts'
import { accepted, byStaff, depsAt } from './seed-transaction.ts'

const body = `Buying tires has three hard parts, knowing what fits, knowing what it costs, and getting it done. We do all three in one place and show our work.

## This winter

- Winter tires are in stock from October, and so are the people who mount them.
- Appointments can be moved until {{moveNoticeMinutes minute}} before they start.
- Not sure whether you need them? Read [winter or all-weather](/learn/choosing-tires/winter-or-all-weather).

## What stays the same

The price you see is the price you pay, out the door. Unmounted tires come back within {{returnDays day}}.
`

/** Drafts the page and publishes the pages that bind the store, as of `now`. */
export async function loadContent(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const draft = {
    path: 'pages/about',
    formKey: '00000000-0000-4000-8000-000000000501',
    text: {
      title: 'About this store',
      description:
        'Tires that really fit, the whole price before you pay, and an appointment nearby. What is new this winter.',
      body,
    },
  }
  const editor = byStaff(staffEmail('catalog'))
  accepted('The draft', await draftContent(depsAt(client, now.subtract({ hours: 5 })), editor, draft))
  const [deps, by] = [depsAt(client, now.subtract({ hours: 48 })), byStaff(staffEmail('owner'))]
  for (const [index, path] of legalPages.entries()) {
    const asReleased = { path, formKey: `00000000-0000-4000-8000-00000000051${index}`, versionId: null }
    accepted(path, await rollBackContent(deps, by, asReleased))
  }
}
