import type { notifications as en } from '../en/notifications.ts'
import { eventTitles } from './service/event-titles.ts'

export const notifications: typeof en = {
  titles: eventTitles,
  title: '通知',
  none: '没有通知。您的域名和账户的动态会显示在这里。',
  off: '您已在个人资料中关闭站内通知。',
  markRead: '标为已读',
  markAll: '全部标为已读',
  delete: '删除',
  deleteAll: '全部删除',
  all: '全部通知',
  unread: '未读',
  open: '打开',
  signedInFrom: (address, device) =>
    `来自 ${address}，使用 ${device}。如非本人操作，请修改密码并结束该会话。`,
  device: (browser, system) => `${system} 上的 ${browser}`,
  anotherProgram: '其他程序',
  unknownAddress: '未知地址',
  expires: (day) => `注册将于${day}到期。请及时在注册商处续费。`,
  expired: (day) => `注册已于${day}到期。请尽快在注册商处续费，以免被他人注册。`,
  more: (count) => `及另外 ${count} 条`,
}
