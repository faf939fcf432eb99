import { pluralOf } from '../formats.ts'
import type { later as en } from '../en/later.ts'

const plural = pluralOf('zh-CN')

export const later: typeof en = {
  title: '时间与确认',
  when: '执行时间',
  now: '立即',
  atTime: '定时',
  time: '时间',
  timeHelp: '最多提前 90 天。届时会重新生成计划；如果结果与此处显示的不同，则不做任何修改。',
  confirm: '未确认则回滚',
  never: '不需要确认',
  within: (minutes) =>
    minutes >= 60 ? plural(minutes / 60, { other: '# 小时内' }) : plural(minutes, { other: '# 分钟内' }),
  confirmHelp: '应用后页面上方会显示倒计时。如无人及时确认，变更将被回滚；其间他人所做的修改会保留。',
  unconfirmed: {
    title: (actor, count) => plural(count, { other: `${actor} 修改了 # 条记录。如未确认，变更将被回滚。` }),
    left: '剩余时间',
    reverting: '正在回滚',
    confirm: '确认',
    confirmed: '已确认，变更将保留',
    revert: '立即回滚',
    reverted: '已回滚',
    show: '查看变更',
    leaveTitle: '尚未确认，仍要离开？',
    leaveText: (when) => `您的一项变更如未确认，将于 ${when} 回滚。`,
    leave: '离开',
  },
  status: {
    waiting: '应用后须确认',
    unconfirmed: '待确认',
    reverting: '正在回滚',
    confirmed: '已确认',
    reverted: '未确认，已回滚',
    not_reverted: '未确认，未能回滚',
  },
  confirmedBy: (who) => `由 ${who} 确认。`,
  revertAt: (when) => `如未确认，将于 ${when} 回滚。`,
  leftAlone: '以下记录此后已被修改，因此保留：',
  showRevert: '查看回滚它的变更',
  showReverted: '查看被回滚的变更',
  appliedAt: (when, ago) => `${when}（${ago}）`,
  cancel: '取消变更',
  cancelTitle: '取消此变更？',
  cancelText: '到时将不会执行，历史中会保留记录。',
  cancelled: '变更已取消',
}
