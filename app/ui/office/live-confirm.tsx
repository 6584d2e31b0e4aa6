/** The question before a dear act, as a dialog by React Aria. Loaded after the page, by pages with such an act. */
import { Button } from 'react-aria-components/Button'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

export function LiveConfirm({
  title,
  text,
  answer,
  isStop = false,
  isOpen,
  onOpenChange,
  onSure,
}: {
  title: string
  text: string
  answer: string
  isStop?: boolean
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onSure: () => void
}) {
  return (
    <ModalOverlay className="office-ask-back" isOpen={isOpen} onOpenChange={onOpenChange} isDismissable>
      <Modal className="office-ask">
        <Dialog role="alertdialog">
          <Heading slot="title">{title}</Heading>
          <p>{text}</p>
          <p className="row wrap-row">
            <Button className={isStop ? 'btn stop' : 'btn primary'} onPress={onSure}>
              {answer}
            </Button>
            <Button className="btn quiet" slot="close">
              Go back
            </Button>
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
