import { useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { meQuery } from '../../../api/queries/account.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { download } from '../../../ui/download.ts'
import { useMessages } from '../../../ui/language.tsx'
import { ShownOnce } from '../../../ui/dialogs/ShownOnce.tsx'
import { toast } from '../../../ui/feedback/Toast.tsx'
import styles from '../Security.module.css'

/** Recovery codes, shown once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const m = useMessages('account')
  const words = m.account.security
  const { data: me } = useSuspenseQuery(meQuery)
  const text = codes.join('\n')
  const list = useRef<HTMLUListElement>(null)
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast(m.common.copied)
    } catch {
      // Refused by the browser: select them, so that the user can copy them.
      if (list.current) getSelection()?.selectAllChildren(list.current)
    }
  }
  const whose = words.codesFile(location.host, me.username)
  const file = `${whose}\n\n${text}\n`
  return (
    <ShownOnce
      title={words.codesTitle}
      about={words.codesText}
      kept={words.keptCodes}
      onKept={onKept}
      actions={
        <>
          {'clipboard' in navigator && (
            <Button icon="copy" onPress={() => void copy()}>
              {words.copyCodes}
            </Button>
          )}
          <Button icon="download" onPress={() => download('recovery-codes.txt', file)}>
            {words.downloadCodes}
          </Button>
          <Button icon="print" onPress={() => window.print()}>
            {words.printCodes}
          </Button>
        </>
      }
    >
      <p className={styles['on-paper']}>{whose}</p>
      <ul ref={list} className={styles['codes']} aria-label={words.codesLabel}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </ShownOnce>
  )
}
