/** What each `data-gesture` does. Loaded with the first use of one. */
import { changeComparison } from '#app/ui/gesture-compare.ts'
import { openModal } from '#app/ui/gesture-modal.ts'
import { copyAddress, shareAddress } from '#app/ui/gesture-share.ts'

/** Does what `part` asks for by its `data-gesture`. */
export async function perform(part: HTMLElement, event: Event): Promise<void> {
  switch (part.dataset['gesture']) {
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
