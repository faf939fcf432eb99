import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Dialog } from 'react-aria-components/Dialog'
import { Input } from 'react-aria-components/Input'
import { Header } from 'react-aria-components/Header'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { SearchField } from 'react-aria-components/SearchField'
import { cx } from '../classes.ts'
import { Icon, type IconName } from '../page/Icon.tsx'
import styles from './CommandDialog.module.css'

export interface Command {
  id: string
  text: string
  note?: string
  icon?: IconName
  onAction: () => void
}

export interface CommandGroup {
  title: string
  commands: readonly Command[]
}

interface CommandProps {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  /** Options that match the typed text. */
  groups: readonly CommandGroup[]
  /** Number of matches, announced to screen readers. */
  status: string
  onClose: () => void
}

/** A text box with matching options below: arrow keys select, Enter runs. */
export function CommandDialog({ label, placeholder, text, onText, groups, status, onClose }: CommandProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={cx(styles['backdrop'])}
    >
      <Modal className={cx(styles['modal'])}>
        <Dialog aria-label={label} className={cx(styles['dialog'])}>
          <Autocomplete inputValue={text} onInputChange={onText}>
            <SearchField aria-label={label} autoFocus className={cx(styles['box'])}>
              <Icon name="search" />
              <Input placeholder={placeholder} className={cx(styles['input'])} />
            </SearchField>
            <p role="status" className={styles['status']}>
              {status}
            </p>
            <Menu aria-label={label} className={cx(styles['menu'])}>
              {groups.map(({ title, commands }) => (
                <MenuSection key={title}>
                  <Header className={cx(styles['title'])}>{title}</Header>
                  {commands.map(({ id, text: name, note, icon, onAction }) => (
                    <MenuItem
                      key={id}
                      id={id}
                      textValue={name}
                      onAction={() => {
                        onClose()
                        onAction()
                      }}
                      className={cx(styles['item'])}
                    >
                      {icon && <Icon name={icon} size={16} />}
                      <span>{name}</span>
                      {note !== undefined && <span className={styles['note']}>{note}</span>}
                    </MenuItem>
                  ))}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
