import type { ReactNode } from 'react'
import styles from './StickyBar.module.css'

/** Actions for the selection; stays visible at the bottom of the page. */
export const StickyBar = ({ label, children }: { label: string; children: ReactNode }) => (
  <div role="region" aria-label={label} className={styles['bar']}>
    {children}
  </div>
)
