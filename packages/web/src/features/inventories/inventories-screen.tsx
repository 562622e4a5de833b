export function InventoriesScreen() {
  return null;
}
