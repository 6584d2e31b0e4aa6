/** What each `data-interaction` does. Loaded when one is first used. */
import { changeComparison } from '#app/ui/interaction-compare.ts'
import { openModal } from '#app/ui/interaction-modal.ts'
import { copyAddress, shareAddress } from '#app/ui/interaction-share.ts'

/** Performs the `data-interaction` of `part`. */
export async function perform(part: HTMLElement, event: Event): Promise<void> {
  switch (part.dataset['interaction']) {
    case 'compare':
      return changeComparison(part as HTMLFormElement, (event as SubmitEvent).submitter)
    case 'modal':
      return openModal(part as HTMLAnchorElement)
    case 'share':
      return shareAddress(part)
    case 'copy':
      return copyAddress(part)
    default:
  }
}
