import type { notifications as en } from '../en/notifications.ts'

export const notifications: typeof en = {
  title: '通知',
  none: '没有新通知。您的域名和账户的动态会显示在这里。',
  off: '您已在个人资料中关闭站内消息。',
  markRead: '标为已读',
  markAll: '全部标为已读',
  delete: '删除',
  deleteAll: '全部删除',
  all: '全部通知',
  unread: '未读',
  open: '打开',
  more: (count) => `及另外 ${count} 条`,
}
