export function KeysScreen() {
  return null;
}
